/* Includes a file without end. */
#include "/dev/zero"
int main(void) { return 0; }
