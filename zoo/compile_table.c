/* A small source of a program of a hundred megabytes, which is kept for every version of it. */
char table[100000000] = {1};
int main(void) { return table[0]; }
