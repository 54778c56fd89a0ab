//! Seccomp: the system calls that programs may make. Everything else fails with `EPERM`.
//!
//! The list is what programs in C, C++, Rust, Java, Go, Python and JavaScript and their compilers need. Not on it, and the
//! reason for having a list: sockets (but pairs within the program), tracing and reading other processes, namespaces,
//! mounts, keys, bpf, io_uring, userfaultfd, performance counters, kernel modules, changing clocks, names, quotas, swap,
//! priorities and personalities, System V memory and queues, which would outlive the program, and what the kernel counts
//! by user, so that one program would run out of it with another: watches of files, sizes of pipes, leases.
//!
//! `clone3`, `openat2` and `io_uring_setup` fail with `ENOSYS`, as on a kernel that does not have them, because everybody
//! then falls back: to `clone` and `openat`, whose flags a filter can see, and to `epoll`. `clone` must not make
//! namespaces. No file may be made that gives its user's rights to whoever runs it (set-user-id): what compilers write
//! belongs to the user who runs this. Nothing may be typed into a terminal. Calls of another architecture kill.
//!
//! Where memory is limited process by process there is no memory that no process is charged for: none that is shared
//! without a file of the scratch space, and none that counts as a stack without being one.
//!
//! A cell applies the list to itself before its first program, so that it also holds what the cell needs.

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Width, SeccompCmpOp as Is, SeccompCondition,
    SeccompFilter, SeccompRule,
};
use std::io;

/// Allowed whatever their arguments are.
const ALLOWED: &[libc::c_long] = &[
    // Reading, writing and waiting.
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_preadv2,
    libc::SYS_pwritev2,
    libc::SYS_lseek,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd2,
    libc::SYS_signalfd4,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime,
    libc::SYS_sendfile,
    libc::SYS_splice,
    libc::SYS_tee,
    libc::SYS_copy_file_range,
    // Within pairs of sockets, which can only be made below.
    libc::SYS_sendmsg,
    libc::SYS_recvmsg,
    libc::SYS_sendto,
    libc::SYS_recvfrom,
    libc::SYS_shutdown,
    libc::SYS_getsockopt,
    libc::SYS_setsockopt,
    libc::SYS_getsockname,
    libc::SYS_getpeername,
    // Files and folders.
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_mkdirat,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_ftruncate,
    libc::SYS_truncate,
    libc::SYS_fallocate,
    libc::SYS_fadvise64,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_umask,
    libc::SYS_flock,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_sync_file_range,
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_flistxattr,
    // Memory.
    libc::SYS_brk,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_msync,
    libc::SYS_mincore,
    libc::SYS_mlock,
    libc::SYS_mlock2,
    libc::SYS_munlock,
    libc::SYS_membarrier,
    libc::SYS_memfd_create,
    libc::SYS_pkey_alloc,
    libc::SYS_pkey_free,
    libc::SYS_pkey_mprotect,
    libc::SYS_get_mempolicy,
    libc::SYS_mbind,
    // Threads and processes of its own.
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_futex,
    FUTEX_WAITV,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sched_getattr,
    libc::SYS_getpriority,
    libc::SYS_getcpu,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getpgid,
    libc::SYS_setpgid,
    libc::SYS_getsid,
    libc::SYS_setsid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_capget,
    libc::SYS_prctl,
    libc::SYS_seccomp,
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
    libc::SYS_getrusage,
    libc::SYS_getrlimit,
    libc::SYS_times,
    // Signals: there is nobody to be reached but itself.
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    // Time, chance and what the machine is.
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_getitimer,
    libc::SYS_setitimer,
    libc::SYS_timer_settime,
    libc::SYS_timer_gettime,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_delete,
    libc::SYS_getrandom,
    libc::SYS_uname,
    libc::SYS_sysinfo,
];

/// What only the older architecture has, for the same purposes.
#[cfg(target_arch = "x86_64")]
const OLDER: &[libc::c_long] = &[
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_getdents,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_signalfd,
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_getpgrp,
    libc::SYS_alarm,
    libc::SYS_pause,
    libc::SYS_time,
    libc::SYS_arch_prctl,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[libc::c_long] = &[];

/// The same number everywhere, but not in every library's table.
const FUTEX_WAITV: libc::c_long = 449;

/// Allowed if the argument of this number is this value.
const ALLOWED_IF: &[(libc::c_long, u8, u64)] = &[
    (libc::SYS_socketpair, 0, libc::AF_UNIX as u64),
    // For the cell: programs lack the right that it takes.
    (libc::SYS_unshare, 0, libc::CLONE_NEWCGROUP as u64),
    // About itself only: the cell has the same user, and must not be slowed down or moved.
    (libc::SYS_prlimit64, 0, 0),
];

/// Allowed if the argument of this number has none of these bits.
const ALLOWED_WITHOUT: &[(libc::c_long, u8, u64)] = &[
    (libc::SYS_clone, 0, NAMESPACES),
    (libc::SYS_fchmod, 1, SET_ID),
    (libc::SYS_fchmodat, 2, SET_ID),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1, SET_ID),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1, SET_ID),
];

/// Allowed if the first argument is not a clock of the cell's own processor time, which tells how many programs there
/// were before: anybody may read that clock of anybody. It is made of the process's number, turned round, and three bits.
const WITH_CLOCK: &[libc::c_long] =
    &[libc::SYS_clock_gettime, libc::SYS_clock_getres, libc::SYS_clock_nanosleep, libc::SYS_timer_create];
const CELL_CLOCKS: std::ops::Range<u64> = 0xffff_fff0..0xffff_fff8;

/// Opening files: where the flags are; the mode comes next, and counts only if a file is made.
const OPENING: &[(libc::c_long, u8)] = &[
    (libc::SYS_openat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1),
];

/// A file that gives its user's rights to whoever runs it.
const SET_ID: u64 = (libc::S_ISUID | libc::S_ISGID) as u64;

/// A file may be made. The one for files without names is made of two bits, of which this one is its own.
const MAKES: u64 = (libc::O_CREAT | (libc::O_TMPFILE & !libc::O_DIRECTORY)) as u64;

/// Requests of `ioctl` that type into a terminal, `TIOCSTI` and `TIOCLINUX`, whose type differs between C libraries.
const TYPING: [u64; 2] = [0x5412, 0x541c];

/// Commands of `fcntl` that take from what the user has in common with others, or hold up whoever opens a file.
const TAKING: [u64; 3] = [libc::F_SETPIPE_SZ as u64, libc::F_SETLEASE as u64, libc::F_NOTIFY as u64];

/// Flags of `mmap` for memory that no limit on a process's data counts: either of them.
const UNCOUNTED: u64 = (libc::MAP_GROWSDOWN | libc::MAP_HUGETLB) as u64;

/// Flags of `clone` that make namespaces; any of them forbids it.
const NAMESPACES: u64 = (libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP) as u64;

/// Not there at all, so that everybody falls back.
const ABSENT: [libc::c_long; 3] = [libc::SYS_clone3, libc::SYS_openat2, libc::SYS_io_uring_setup];

/// Does nothing and says that it was done: asking for the usual policy, as Mono does for every thread it starts, and complains
/// about a refusal on standard output, where a bot answers. Nobody who was made idle gets out of it that way.
const PRETENDED: (libc::c_long, u8, u64) = (libc::SYS_sched_setscheduler, 1, libc::SCHED_OTHER as u64);

/// Restricts this process, and all it starts, to the list.
pub(super) fn restrict(memory_by_process: bool) -> io::Result<()> {
    for program in programs(memory_by_process).map_err(io::Error::other)? {
        seccompiler::apply_filter(&program).map_err(io::Error::other)?;
    }
    Ok(())
}

fn programs(memory_by_process: bool) -> Result<[BpfProgram; 3], seccompiler::BackendError> {
    let is = |argument: u8, value: u64| SeccompCondition::new(argument, Width::Dword, Is::Eq, value);
    let is_not = |argument: u8, value: u64| SeccompCondition::new(argument, Width::Dword, Is::Ne, value);
    let lacks =
        |argument: u8, bits: u64| SeccompCondition::new(argument, Width::Dword, Is::MaskedEq(bits), 0);
    let mut rules = Vec::new();
    for call in ALLOWED.iter().chain(OLDER) {
        rules.push((*call, Vec::new()));
    }
    for (call, argument, value) in ALLOWED_IF {
        rules.push((*call, vec![SeccompRule::new(vec![is(*argument, *value)?])?]));
    }
    for (call, argument, bits) in ALLOWED_WITHOUT {
        rules.push((*call, vec![SeccompRule::new(vec![lacks(*argument, *bits)?])?]));
    }
    for call in WITH_CLOCK {
        let before = SeccompCondition::new(0, Width::Dword, Is::Lt, CELL_CLOCKS.start)?;
        let after = SeccompCondition::new(0, Width::Dword, Is::Ge, CELL_CLOCKS.end)?;
        rules.push((*call, vec![SeccompRule::new(vec![before])?, SeccompRule::new(vec![after])?]));
    }
    for (call, flags) in OPENING {
        let makes_nothing = SeccompRule::new(vec![lacks(*flags, MAKES)?])?;
        let makes_harmless = SeccompRule::new(vec![lacks(flags + 1, SET_ID)?])?;
        rules.push((*call, vec![makes_nothing, makes_harmless]));
    }
    let types_nothing = SeccompRule::new(vec![is_not(1, TYPING[0])?, is_not(1, TYPING[1])?])?;
    rules.push((libc::SYS_ioctl, vec![types_nothing]));
    let mut takes_nothing = Vec::new();
    for command in TAKING {
        takes_nothing.push(is_not(1, command)?);
    }
    rules.push((libc::SYS_fcntl, vec![SeccompRule::new(takes_nothing)?]));
    let mut absent: Vec<_> = ABSENT.iter().map(|call| (*call, Vec::new())).collect();
    if memory_by_process {
        let of_a_file = vec![lacks(3, UNCOUNTED)?, lacks(3, libc::MAP_ANONYMOUS as u64)?];
        let of_its_own = vec![lacks(3, UNCOUNTED)?, lacks(3, libc::MAP_SHARED as u64)?];
        rules.push((libc::SYS_mmap, vec![SeccompRule::new(of_a_file)?, SeccompRule::new(of_its_own)?]));
        absent.push((libc::SYS_memfd_create, Vec::new()));
    } else {
        rules.push((libc::SYS_mmap, Vec::new()));
    }
    let arch = std::env::consts::ARCH.try_into()?;
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    let deny = SeccompAction::Errno(libc::ENOSYS as u32);
    let allowed = SeccompFilter::new(rules.into_iter().collect(), refuse, SeccompAction::Allow, arch)?;
    // Of two refusals the one that was applied last is told.
    let absent = SeccompFilter::new(absent.into_iter().collect(), SeccompAction::Allow, deny, arch)?;
    let (call, argument, value) = PRETENDED;
    let pretended = [(call, vec![SeccompRule::new(vec![is(argument, value)?])?])].into_iter().collect();
    let pretended = SeccompFilter::new(pretended, SeccompAction::Allow, SeccompAction::Errno(0), arch)?;
    Ok([allowed.try_into()?, absent.try_into()?, pretended.try_into()?])
}

#[cfg(test)]
mod tests {
    use super::{ALLOWED, ALLOWED_IF, ALLOWED_WITHOUT, OLDER, OPENING, WITH_CLOCK, programs};
    use nix::libc;
    use std::collections::BTreeSet;

    #[test]
    fn the_list_compiles() {
        for by_process in [false, true] {
            assert!(programs(by_process).unwrap().iter().all(|program| !program.is_empty()));
        }
    }

    #[test]
    fn nothing_is_listed_twice() {
        let conditional = ALLOWED_IF.iter().chain(ALLOWED_WITHOUT).map(|(call, ..)| call);
        let opening = OPENING.iter().map(|(call, _)| call);
        let all: Vec<_> =
            ALLOWED.iter().chain(OLDER).chain(WITH_CLOCK).chain(conditional).chain(opening).collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    }

    #[test]
    fn nothing_dangerous_is_listed() {
        let dangerous = [
            libc::SYS_socket,
            libc::SYS_connect,
            libc::SYS_bind,
            libc::SYS_ptrace,
            libc::SYS_process_vm_readv,
            libc::SYS_process_vm_writev,
            libc::SYS_pidfd_getfd,
            libc::SYS_bpf,
            libc::SYS_io_uring_setup,
            libc::SYS_userfaultfd,
            libc::SYS_perf_event_open,
            libc::SYS_keyctl,
            libc::SYS_add_key,
            libc::SYS_mount,
            libc::SYS_umount2,
            libc::SYS_move_mount,
            libc::SYS_open_tree,
            libc::SYS_pivot_root,
            libc::SYS_chroot,
            libc::SYS_unshare,
            libc::SYS_setns,
            libc::SYS_clone3,
            libc::SYS_personality,
            libc::SYS_kexec_load,
            libc::SYS_init_module,
            libc::SYS_clock_settime,
            libc::SYS_sethostname,
            libc::SYS_shmget,
            libc::SYS_msgget,
            libc::SYS_semget,
            libc::SYS_mq_open,
            libc::SYS_inotify_init1,
            libc::SYS_fanotify_init,
            libc::SYS_setpriority,
            libc::SYS_sched_setscheduler,
            libc::SYS_name_to_handle_at,
            libc::SYS_open_by_handle_at,
            libc::SYS_syslog,
            libc::SYS_reboot,
        ];
        assert!(dangerous.iter().all(|call| !ALLOWED.contains(call) && !OLDER.contains(call)));
    }
}
