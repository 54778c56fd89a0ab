/* Includes a secret of the organiser, so that the compiler's complaints show it. */
#include "@home@"
int main(void) { return 0; }
