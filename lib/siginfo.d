/*
 * What comes with a signal, and exceptions of the CPU.
 */

#pragma D depends_on library signal.d

/* Exceptions of the CPU (the first argument of proc:::fault). */
inline int FLTILL = 1;
inline int FLTPRIV = 2;
inline int FLTBPT = 3;
inline int FLTTRACE = 4;
inline int FLTACCESS = 5;
inline int FLTBOUNDS = 6;
inline int FLTIOVF = 7;
inline int FLTIZDIV = 8;
inline int FLTFPE = 9;

typedef struct dtrace_siginfo {
	int si_signo;
	int si_errno;
	int si_code;
	pid_t si_pid;
	uid_t si_uid;
	int si_status;
	uintptr_t si_addr;
} siginfo_t;

/*
 * Where the kernel has no siginfo it passes 0, for a signal of a process, or 1,
 * for one of its own. si_pid and si_uid are the sender's, si_status is the end
 * of a child, si_addr is where a fault was; all are 0 where they mean nothing.
 */
inline int siginfo_is_fault[struct kernel_siginfo *S] =
    S->si_code > 0 && (S->si_signo == SIGILL || S->si_signo == SIGTRAP ||
    S->si_signo == SIGBUS || S->si_signo == SIGFPE || S->si_signo == SIGSEGV);

inline int siginfo_has_sender[struct kernel_siginfo *S] =
    (uintptr_t)S > 1 && (S->si_code <= 0 && S->si_code != SI_TIMER || S->si_signo == SIGCHLD);

translator siginfo_t < struct kernel_siginfo *S > {
	si_signo = (uintptr_t)S > 1 ? S->si_signo : 0;
	si_errno = (uintptr_t)S > 1 ? S->si_errno : 0;
	si_code = (uintptr_t)S > 1 ? S->si_code : S == NULL ? SI_USER : SI_KERNEL;
	si_pid = siginfo_has_sender[S] ? S->_sifields._kill._pid : 0;
	si_uid = siginfo_has_sender[S] ? S->_sifields._kill._uid : 0;
	si_status = (uintptr_t)S > 1 && S->si_signo == SIGCHLD ?
	    S->_sifields._sigchld._status : 0;
	si_addr = (uintptr_t)S > 1 && siginfo_is_fault[S] ?
	    (uintptr_t)S->_sifields._sigfault._addr : 0;
};
