/* Leaves a child that holds its output, and returns 5; with a pass as its argument it passes, and leaves a child all the same.
 * A child outlives its parent on Windows unless somebody sees to it. */
#include <stdio.h>
#include <string.h>
#include <windows.h>
int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "child") == 0) Sleep(INFINITE);
    char own[MAX_PATH], command[MAX_PATH + 16], block[65536];
    GetModuleFileNameA(NULL, own, sizeof own);
    snprintf(command, sizeof command, "\"%s\" child", own);
    STARTUPINFOA start = {.cb = sizeof start};
    PROCESS_INFORMATION child;
    DWORD flags = CREATE_NEW_PROCESS_GROUP | DETACHED_PROCESS;
    if (!CreateProcessA(NULL, command, NULL, NULL, TRUE, flags, NULL, NULL, &start, &child)) return 6;
    if (argc < 2) return 5;
    while (fgets(block, sizeof block, stdin) != NULL) {
        printf("%s\n", argv[1]);
        fflush(stdout);
    }
    return 0;
}
