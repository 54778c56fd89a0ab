/* Does nothing: what is measured is starting it. */
int main(void) { return 0; }
