/* Returns 3 without reading. */
int main(void) { return 3; }
