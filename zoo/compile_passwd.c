/* Includes the list of users, so that the compiler's complaints show it. */
#include "/etc/passwd"
#include "/etc/shadow"
int main(void) { return 0; }
