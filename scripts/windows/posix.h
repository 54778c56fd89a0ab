/* What bots of the zoo call that Windows has under another name. */
#include <windows.h>
#define pause() Sleep(INFINITE)
