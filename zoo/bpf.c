/* Loads programs into the kernel. */
#include "attack.h"
#include <linux/bpf.h>
int main(void) {
    union bpf_attr map = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
    struct bpf_insn code[] = {{.code = BPF_ALU64 | BPF_MOV | BPF_K}, {.code = BPF_JMP | BPF_EXIT}};
    union bpf_attr filter = {.prog_type = BPF_PROG_TYPE_SOCKET_FILTER, .insn_cnt = 2};
    filter.insns = (unsigned long)code;
    filter.license = (unsigned long)"GPL";
    TRY("makes a map in the kernel", syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map));
    TRY("loads a filter", syscall(SYS_bpf, BPF_PROG_LOAD, &filter, sizeof filter));
    return play_on();
}
