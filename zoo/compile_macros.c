/* Has the compiler add 2 to the power of 48 zeros, one by one. */
#define A 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 +
#define B A A A A A A A A
#define C B B B B B B B B
#define D C C C C C C C C
#define E D D D D D D D D
#define F E E E E E E E E
#define G F F F F F F F F
#define H G G G G G G G G
#define I H H H H H H H H
#define J I I I I I I I I
#define K J J J J J J J J
#define L K K K K K K K K
#define M L L L L L L L L
#define N M M M M M M M M
#define O N N N N N N N N
#define P O O O O O O O O
#if P 0
#endif
int main(void) { return 0; }
