/* Answers with words that are no answer. */
#include <stdio.h>
int main(void) {
    puts("Hello, I am a bot!");
    fflush(stdout);
    while (getchar() != EOF) {}
    return 0;
}
