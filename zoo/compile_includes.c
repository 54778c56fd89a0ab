/* Includes itself twice at every level: a source without end, full of different names. */
#define GLUE(a, b) a##b
#define NAME(number) GLUE(name_, number)
struct NAME(__COUNTER__) { long a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p; };
#if __INCLUDE_LEVEL__ < 60
#include __FILE__
#include __FILE__
#endif
#if __INCLUDE_LEVEL__ == 0
int main(void) { return 0; }
#endif
