// Has the compiler compute for hours, each piece within what it allows itself.
constexpr unsigned long work(unsigned long number) {
    for (long at = 0; at < 200000; at++) number = number * 31 + at;
    return number;
}
template <long Number> struct Piece {
    static constexpr unsigned long value = work(Number) ^ work(Number + 1) ^ work(Number + 2);
};
template <long From, long Count> struct Pieces {
    static constexpr long half = Count / 2;
    static constexpr unsigned long value = Pieces<From, half>::value ^ Pieces<From + half, Count - half>::value;
};
template <long From> struct Pieces<From, 1> {
    static constexpr unsigned long value = Piece<From>::value;
};
int main() { return Pieces<1, 1000000>::value == 0; }
