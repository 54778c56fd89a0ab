// Has the compiler build a tree of 2 to the power of 40 types, each with a name of thousands of numbers.
template <long Number, int Depth, int... Ballast> struct Tree {
    Tree<2 * Number, Depth - 1, Ballast...> left;
    Tree<2 * Number + 1, Depth - 1, Ballast...> right;
};
template <long Number, int... Ballast> struct Tree<Number, 0, Ballast...> {};
template <int Count> struct Plant {
    static constexpr unsigned long size = sizeof(Tree<1, 40, __integer_pack(Count)...>);
};
int main() { return Plant<4000>::size != 0; }
