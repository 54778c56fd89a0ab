/* Wine 8 has no bcryptprimitives.dll, from which Rust's library takes its random numbers. For tests only. */
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
    return RtlGenRandom(data, (ULONG)length);
}
