/* Has the assembler decide ten thousand million times to do nothing, in next to no memory. */
__asm__(".rept 100000\n.rept 100000\n.if 0\n.endif\n.endr\n.endr");
int main(void) { return 0; }
