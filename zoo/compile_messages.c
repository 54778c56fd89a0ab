/* Has the compiler complain without end. */
#warning this goes on for ever, and every complaint says where it comes from, which makes it longer
#if __INCLUDE_LEVEL__ < 60
#include __FILE__
#include __FILE__
#else
#error so does this
#endif
#if __INCLUDE_LEVEL__ == 0
int main(void) { return 0; }
#endif
