#!/usr/sbin/dtrace -s
/* Programs that sleep because they ask to: who, whose child, and for how many seconds. Programs that poll are among
   these. A sleep until a point of time, as in Python, lasts until that point. Source: the system calls nanosleep() and
   clock_nanosleep(); only sleeps by the time of day, or by the time since the start, are shown. */
#pragma D summary programs that ask to sleep, and for how long
#pragma D flag p process process only those of this process
#pragma D flag n name string only those of programs whose name contains this
#pragma D flag m least uint only sleeps of at least this many milliseconds
#pragma D example naptime -m 1000 -- programs that sleep for a second or longer
#pragma D option quiet
#pragma D option switchrate=10hz

inline int TIMER_ABSTIME = 1;	/* until a time: include/uapi/linux/time.h */
inline int CLOCK_REALTIME = 0;
inline int CLOCK_MONOTONIC = 1;
inline int IS_RELATIVE = probefunc == "nanosleep" || !(arg1 & TIMER_ABSTIME);

BEGIN { printf("%-20s %-16s %-8s %-16s %-8s %12s\n", "TIME", "PARENT", "PPID", "COMMAND", "PID", "SECONDS"); }

syscall::nanosleep:entry, syscall::clock_nanosleep:entry
/(!$process || pid == $process) && ($name == "" || strstr(execname, $name) != NULL) &&
    (IS_RELATIVE || (int)arg0 == CLOCK_REALTIME || (int)arg0 == CLOCK_MONOTONIC)/
{
	this->asked = (struct timespec *)copyin(probefunc == "nanosleep" ? arg0 : arg2, sizeof(struct timespec));
	this->until = this->asked->tv_sec * 1000000000 + this->asked->tv_nsec;
	this->now = (int64_t)(IS_RELATIVE ? 0 : (int)arg0 == CLOCK_REALTIME ? walltimestamp : timestamp);
	this->ns = this->until > this->now ? this->until - this->now : 0;
	if (this->ns >= $least * 1000000)
		printf("%-20Y %-16S %-8d %-16S %-8d %{s}12.3f\n", walltimestamp, curthread->real_parent->comm, ppid, execname,
		    pid, this->ns);
}
