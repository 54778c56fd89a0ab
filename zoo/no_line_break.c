/* A whole answer without a line break, and then the end. */
#include <stdio.h>
int main(int argc, char **argv) {
    fputs(argc > 1 ? argv[1] : "0", stdout);
    return 0;
}
