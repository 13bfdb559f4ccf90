/*
 * CPUs, what threads wait for, and states of threads.
 */

typedef struct processor_info {
	int pi_state;
	string pi_processor_type;
	string pi_fputypes;
	int pi_clock;
} processor_info_t;

typedef struct cpuinfo {
	int cpu_id;
	int cpu_pset;
	int cpu_chip;
	int cpu_lgrp;
	processor_info_t cpu_info;
} cpuinfo_t;

inline int P_OFFLINE = 1;
inline int P_ONLINE = 2;

translator processor_info_t < int N > {
	pi_state = P_ONLINE;		/* a thread or a probe is on it */
	pi_processor_type = "x86_64";
	pi_fputypes = "i387 compatible";
	pi_clock = 0;
};

/* Where a probe fires, a CPU's package, node and speed are not known. */
translator cpuinfo_t < int N > {
	cpu_id = N;
	cpu_pset = 0;
	cpu_chip = -1;
	cpu_lgrp = -1;
	cpu_info = xlate <processor_info_t> (N);
};

inline cpuinfo_t *curcpu = xlate <cpuinfo_t *> (cpu);
#pragma D attributes Stable/Stable/Common curcpu

inline int pset = 0;
inline int chip = -1;
inline int lgrp = -1;

inline int SOBJ_NONE = 0;
inline int SOBJ_MUTEX = 1;
inline int SOBJ_RWLOCK = 2;
inline int SOBJ_CV = 3;
inline int SOBJ_SEMA = 4;
inline int SOBJ_USER = 5;
inline int SOBJ_USER_PI = 6;
inline int SOBJ_SHUTTLE = 7;

/* pr_state of lwpsinfo_t. */
inline int SSLEEP = 1;
inline int SRUN = 2;
inline int SZOMB = 3;
inline int SSTOP = 4;
inline int SIDL = 5;
inline int SONPROC = 6;
inline int SWAIT = 7;
