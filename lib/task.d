/*
 * Processes and threads: arguments of clone(2), wait4(2), setpriority(2),
 * getrlimit(2), sched_setscheduler(2) and futex(2).
 */

inline int CLONE_VM = 0x100;
inline int CLONE_FS = 0x200;
inline int CLONE_FILES = 0x400;
inline int CLONE_SIGHAND = 0x800;
inline int CLONE_PIDFD = 0x1000;
inline int CLONE_PTRACE = 0x2000;
inline int CLONE_VFORK = 0x4000;
inline int CLONE_PARENT = 0x8000;
inline int CLONE_THREAD = 0x10000;
inline int CLONE_NEWNS = 0x20000;
inline int CLONE_SYSVSEM = 0x40000;
inline int CLONE_SETTLS = 0x80000;
inline int CLONE_PARENT_SETTID = 0x100000;
inline int CLONE_CHILD_CLEARTID = 0x200000;
inline int CLONE_DETACHED = 0x400000;
inline int CLONE_UNTRACED = 0x800000;
inline int CLONE_CHILD_SETTID = 0x1000000;
inline int CLONE_NEWCGROUP = 0x2000000;
inline int CLONE_NEWUTS = 0x4000000;
inline int CLONE_NEWIPC = 0x8000000;
inline int CLONE_NEWUSER = 0x10000000;
inline int CLONE_NEWPID = 0x20000000;
inline int CLONE_NEWNET = 0x40000000;
inline uint32_t CLONE_IO = 0x80000000;

inline int WNOHANG = 1;
inline int WUNTRACED = 2;
inline int WSTOPPED = 2;
inline int WEXITED = 4;
inline int WCONTINUED = 8;
inline int WNOWAIT = 0x1000000;

inline int PRIO_PROCESS = 0;
inline int PRIO_PGRP = 1;
inline int PRIO_USER = 2;
inline int SCHED_OTHER = 0;
inline int SCHED_FIFO = 1;
inline int SCHED_RR = 2;
inline int SCHED_BATCH = 3;
inline int SCHED_IDLE = 5;

inline int RLIMIT_CPU = 0;
inline int RLIMIT_FSIZE = 1;
inline int RLIMIT_DATA = 2;
inline int RLIMIT_STACK = 3;
inline int RLIMIT_CORE = 4;
inline int RLIMIT_RSS = 5;
inline int RLIMIT_NPROC = 6;
inline int RLIMIT_NOFILE = 7;
inline int RLIMIT_MEMLOCK = 8;
inline int RLIMIT_AS = 9;
inline int RLIMIT_LOCKS = 10;
inline int RLIMIT_SIGPENDING = 11;
inline int RLIMIT_MSGQUEUE = 12;
inline int RLIMIT_NICE = 13;
inline int RLIMIT_RTPRIO = 14;
inline int RLIMIT_RTTIME = 15;
inline int RUSAGE_SELF = 0;
inline int RUSAGE_CHILDREN = -1;
inline int RUSAGE_THREAD = 1;

inline int FUTEX_WAIT = 0;
inline int FUTEX_WAKE = 1;
inline int FUTEX_REQUEUE = 3;
inline int FUTEX_CMP_REQUEUE = 4;
inline int FUTEX_WAKE_OP = 5;
inline int FUTEX_LOCK_PI = 6;
inline int FUTEX_UNLOCK_PI = 7;
inline int FUTEX_TRYLOCK_PI = 8;
inline int FUTEX_WAIT_BITSET = 9;
inline int FUTEX_WAKE_BITSET = 10;
inline int FUTEX_WAIT_REQUEUE_PI = 11;
inline int FUTEX_CMP_REQUEUE_PI = 12;
inline int FUTEX_PRIVATE_FLAG = 128;
inline int FUTEX_CLOCK_REALTIME = 256;
