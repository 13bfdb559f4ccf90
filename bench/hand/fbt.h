// A function that getppid() calls: by fentry (ONE), or by a link that could serve thousands.
#if ONE
#define ENTRY SEC("fentry/__task_pid_nr_ns")
#define RETURN SEC("fexit/__task_pid_nr_ns")
#else
#define ENTRY SEC("kprobe.multi/__task_pid_nr_n*")
#define RETURN SEC("kretprobe.multi/__task_pid_nr_n*")
#endif
