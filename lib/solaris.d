/*
 * Variables of other kernels that scripts read, as `freemem, with what Linux tells: as solaris_freemem here. What Linux
 * has not, such as `lotsfree, is not here, so that it is refused by its name.
 */

/* Load averages of 1, 5 and 15 minutes; 65536 is 1. Rounded up, so that their hundredths are those of uptime(1). */
inline int64_t solaris_load[int64_t hundredths] = (hundredths * 65536 + 99) / 100;
inline int solaris_hp_avenrun[int at] =
    at == 0 ? solaris_load[machine_number("load1")] :
    at == 1 ? solaris_load[machine_number("load5")] :
    at == 2 ? solaris_load[machine_number("load15")] : 0;

/* Memory, in pages. */
inline int solaris__pageshift = 12;
inline unsigned long solaris__pagesize = 4096;
inline unsigned long solaris_freemem = machine_number("memfree") >> 12;
inline unsigned long solaris_physmem = machine_number("memtotal") >> 12;

inline int solaris_ncpus = machine_number("cpus");
inline int solaris_ncpus_online = machine_number("cpus");
inline int solaris_mp_ncpus = machine_number("cpus");

/* Ticks: their number and their length agree. */
inline int solaris_hz = 100;
inline int solaris_nsec_per_tick = 10000000;
inline int64_t solaris_lbolt = machine_number("uptime") / 10000000;
inline int64_t solaris_time_uptime = machine_number("uptime") / 1000000000;

/* The number that was given to the newest process, or thread. */
inline pid_t solaris_mpid = curthread->thread_pid->numbers[0].ns->idr.idr_next - 1;

/* The names of the system as the running thread sees them. */
inline struct new_utsname *solaris_names = &curthread->nsproxy->uts_ns->name;
inline struct new_utsname solaris_utsname = *solaris_names;
inline string solaris_osrelease = stringof(solaris_names->release);
inline string solaris_platform = stringof(solaris_names->machine);
inline string solaris_architecture = stringof(solaris_names->machine);
