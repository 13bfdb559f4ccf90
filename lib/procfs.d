/*
 * Processes and threads.
 *
 * What Linux has under another name is translated, what it has not at all is
 * not defined and is refused by name, and zones, projects and pools, of which
 * there is one of each, are 0.
 */

#pragma D depends_on library sched.d

typedef struct timestruc {
	int64_t tv_sec;
	int64_t tv_nsec;
} timestruc_t;

translator timestruc_t < uint64_t NS > {
	tv_sec = NS / 1000000000;
	tv_nsec = NS % 1000000000;
};

inline char PR_MODEL_ILP32 = 1;
inline char PR_MODEL_LP64 = 2;

/* pr_flag of lwpsinfo_t. */
inline int PR_STOPPED = 0x00000001;
inline int PR_ISTOP = 0x00000002;	/* by a debugger */
inline int PR_ASLEEP = 0x00000010;	/* and a signal can wake it */
inline int PR_ISSYS = 0x00001000;

typedef struct psinfo {
	int pr_flag;
	int pr_nlwp;
	pid_t pr_pid;
	pid_t pr_ppid;
	pid_t pr_pgid;
	pid_t pr_sid;
	uid_t pr_uid;
	uid_t pr_euid;
	gid_t pr_gid;
	gid_t pr_egid;
	uintptr_t pr_addr;
	size_t pr_size;
	size_t pr_rssize;
	dev_t pr_ttydev;
	ushort_t pr_pctcpu;
	ushort_t pr_pctmem;
	timestruc_t pr_start;
	timestruc_t pr_time;
	timestruc_t pr_ctime;
	string pr_fname;
	string pr_psargs;
	int pr_wstat;
	int pr_argc;
	uintptr_t pr_argv;
	uintptr_t pr_envp;
	char pr_dmodel;
	int pr_taskid;
	int pr_projid;
	int pr_poolid;
	int pr_zoneid;
	int pr_contract;
} psinfo_t;

inline char data_model[struct task_struct *T] =
    T->thread_info.flags & (1 << 29) ? PR_MODEL_ILP32 : PR_MODEL_LP64;	/* TIF_ADDR32 */

inline int pointer_size[struct task_struct *T] = data_model[T] == PR_MODEL_ILP32 ? 4 : 8;

/*
 * What a program starts with at the top of its stack: how many arguments there
 * are, pointers to them, NULL, pointers to the environment, NULL. It is the
 * memory of the process, which only a probe in the process itself can read.
 */
inline int argument_count[struct task_struct *T] =
    *(userland int *)T->mm->start_stack;

/*
 * Whether one has made the other by fork() and neither has executed a program since: then what they
 * were started with is the same, and at the same place. 0x40 is PF_FORKNOEXEC.
 */
inline int is_copy_of[struct task_struct *C, struct task_struct *P] =
    C->flags & 0x40 && C->real_parent->tgid == P->tgid && C->parent_exec_id == (uint32_t)P->self_exec_id;

/* Whether the memory of the process in which the probe fires has T's arguments. */
inline int has_arguments_here[struct task_struct *T] = T->mm != NULL && curthread->mm != NULL &&
    (T->tgid == curthread->tgid || T->mm == curthread->mm || is_copy_of[T, curthread] ||
    is_copy_of[curthread, T]);

translator psinfo_t < struct task_struct *T > {
	pr_nlwp = T->signal->nr_threads;
	pr_pid = task_tgid_vnr(T);
	pr_ppid = task_tgid_vnr(T->real_parent);
	pr_pgid = pid_vnr(T->signal->pids[2]);	/* PIDTYPE_PGID */
	pr_sid = pid_vnr(T->signal->pids[3]);	/* PIDTYPE_SID */
	pr_uid = T->real_cred->uid.val;
	pr_euid = T->real_cred->euid.val;
	pr_gid = T->real_cred->gid.val;
	pr_egid = T->real_cred->egid.val;
	pr_addr = T == NULL ? 0 : (uintptr_t)T->group_leader;
	pr_ttydev = T->signal->tty == NULL ? -1 :	/* PRNODEV */
	    T->signal->tty->driver->major << 20 |
	    (T->signal->tty->driver->minor_start + T->signal->tty->index);
	pr_start = xlate <timestruc_t> ((uint64_t)(walltimestamp -
	    (timestamp - T->group_leader->start_time)));
	pr_fname = T->group_leader->comm;
	pr_psargs = T == curthread ? (T->mm != NULL ? execargs : T->group_leader->comm) :
	    has_arguments_here[T] ? execargs : task_psargs(T);
	pr_argc = has_arguments_here[T] ? argument_count[T] : 0;
	pr_argv = T->mm == NULL ? 0 : T->mm->start_stack + pointer_size[T];
	pr_envp = !has_arguments_here[T] ? 0 : T->mm->start_stack + (argument_count[T] + 2) * pointer_size[T];
	pr_dmodel = data_model[T];
	pr_taskid = 0;
	pr_projid = 0;
	pr_poolid = 0;
	pr_zoneid = 0;
	pr_contract = 0;
};

typedef struct lwpsinfo {
	int pr_flag;
	id_t pr_lwpid;
	uintptr_t pr_addr;
	uintptr_t pr_wchan;
	char pr_stype;
	char pr_state;
	char pr_sname;
	char pr_nice;
	short pr_syscall;
	char pr_oldpri;
	char pr_cpu;
	int pr_pri;
	ushort_t pr_pctcpu;
	timestruc_t pr_start;
	timestruc_t pr_time;
	string pr_clname;
	string pr_name;
	int pr_onpro;
	int pr_bindpro;
	int pr_bindpset;
	int pr_lgrp;
} lwpsinfo_t;

/*
 * A state: a thread on a CPU, one that waits for one, one that sleeps, one that
 * a signal or a debugger has stopped, and one that has ended.
 */
inline char lwp_state[struct task_struct *T] =
    T->exit_state != 0 ? SZOMB :
    T->__state & 0x0c ? SSTOP :			/* __TASK_STOPPED, __TASK_TRACED */
    T->__state & 0x03 ? SSLEEP :		/* TASK_INTERRUPTIBLE, TASK_UNINTERRUPTIBLE */
    T->on_cpu ? SONPROC : SRUN;

inline char lwp_letter[char state] =
    state == SSLEEP ? 'S' :
    state == SRUN ? 'R' :
    state == SZOMB ? 'Z' :
    state == SSTOP ? 'T' :
    state == SONPROC ? 'O' : '?';

/* The names of ps(1). */
inline string scheduling_class[unsigned int policy] =
    policy == 0 ? "TS" :
    policy == 1 ? "FF" :
    policy == 2 ? "RR" :
    policy == 3 ? "B" :
    policy == 5 ? "IDL" :
    policy == 6 ? "DLN" :
    policy == 7 ? "EXT" : "?";

/*
 * Linux does not keep what a thread waits for (pr_wchan, pr_stype), and shows
 * only the system call of the thread in which the probe fires. Members that
 * /proc of other kernels has and D's translators have nowhere are members here
 * too, so that they are refused as there.
 */
translator lwpsinfo_t < struct task_struct *T > {
	pr_flag = (T->__state & 0x0c ? PR_STOPPED : 0) |
	    (T->__state & 0x08 ? PR_ISTOP : 0) |
	    (T->__state & 0x01 ? PR_ASLEEP : 0) |
	    (T->flags & 0x00200000 ? PR_ISSYS : 0);	/* PF_KTHREAD */
	pr_lwpid = task_pid_vnr(T);
	pr_addr = (uintptr_t)T;
	pr_wchan = 0;
	pr_stype = SOBJ_NONE;
	pr_syscall = T != curthread || T->flags & 0x00200000 ? 0 :
	    (int64_t)uregs[15] < 0 ? 0 : uregs[15];
	pr_state = lwp_state[T];
	pr_sname = lwp_letter[lwp_state[T]];
	pr_pri = T->prio;
	pr_clname = scheduling_class[T->policy];
	pr_name = T->comm;
	pr_onpro = T->thread_info.cpu;
	pr_bindpro = T->nr_cpus_allowed == 1 ? (int)T->thread_info.cpu : -1;
	pr_bindpset = -1;
	pr_lgrp = -1;
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *> (curthread);
#pragma D attributes Stable/Stable/Common curpsinfo

inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *> (curthread);
#pragma D attributes Stable/Stable/Common curlwpsinfo
