/* A table of a gibibyte that is not empty. */
char table[1L << 30] = {1};
int main(void) { return table[0]; }
