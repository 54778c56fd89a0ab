/* A program of 16 GiB. */
__asm__(".data\n.rept 16\n.fill 0x40000000, 1, 1\n.endr\n.text");
int main(void) { return 0; }
