#!/usr/sbin/dtrace -s
/* Programs that sleep because they ask to: who, whose child, and for how many seconds. Programs that poll are among
   these. Source: the system calls nanosleep() and clock_nanosleep(); sleeps until a time of day are not shown. */
#pragma D summary programs that ask to sleep, and for how long
#pragma D flag p process int only those of this process
#pragma D flag n name string only those of programs whose name contains this
#pragma D flag m least int only sleeps of at least this many milliseconds
#pragma D example naptime -m 1000 -- programs that sleep for a second or longer
#pragma D option quiet
#pragma D option switchrate=10hz

inline int TIMER_ABSTIME = 1;	/* until a time: include/linux/time.h */

BEGIN { printf("%-20s %-16s %-8s %-16s %-8s %12s\n", "TIME", "PARENT", "PPID", "COMMAND", "PID", "SECONDS"); }

syscall::nanosleep:entry, syscall::clock_nanosleep:entry
/(!$process || pid == $process) && ($name == "" || strstr(execname, $name) != NULL) &&
    (probefunc == "nanosleep" || !(arg1 & TIMER_ABSTIME))/
{
	this->asked = (struct timespec *)copyin(probefunc == "nanosleep" ? arg0 : arg2, sizeof(struct timespec));
	this->ns = this->asked->tv_sec * 1000000000 + this->asked->tv_nsec;
	if (this->ns >= $least * 1000000)
		printf("%-20Y %-16S %-8d %-16S %-8d %{s}12.3f\n", walltimestamp, curthread->real_parent->comm, ppid, execname,
		    pid, this->ns);
}
