/* Has the compiler list files among those that it has read which it has not: one has no end, one holds secrets. */
#include "/proc/self/pagemap"
#include "/proc/self/environ"
int main(void) { return 3; }
