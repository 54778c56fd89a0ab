/* A bot that answers every number it reads with a pass, each written by itself: far more answers than it is asked for. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int in_number = 0;
    for (int letter = getchar(); letter != EOF; letter = getchar()) {
        int digit = letter >= '0' && letter <= '9';
        if (in_number && !digit && write(1, "0\n", 2) != 2) return 0;
        in_number = digit;
    }
    return 0;
}
