#!/usr/sbin/dtrace -s
/* How long threads that could run wait for a CPU, from being woken or preempted until they run.
   Source: the tracepoints sched_wakeup and sched_wakeup_new, and the provider sched. */
#pragma D summary how long runnable threads wait for a CPU
#pragma D flag p process process only threads of this process
#pragma D flag P processes bool separately for each process
#pragma D flag L threads bool separately for each thread
#pragma D flag m milliseconds bool in milliseconds instead of microseconds
#pragma D flag T timestamps bool the time of day before each report
#pragma D argument interval period=365d the time between two reports
#pragma D argument count count how many reports
#pragma D example runqlat 1 10 -- ten reports, one each second
#pragma D example runqlat -P -m -- in milliseconds, by process
#pragma D option quiet

inline string UNIT = $milliseconds ? "ms" : "us";

BEGIN { printf("Waits for a CPU are timed... Ctrl-C ends it.\n"); }

/* By its address, a thread is the same for those that wake it and for itself. */
sdt:sched::sched_wakeup, sdt:sched::sched_wakeup_new
/!$process || task_tgid_vnr(args[0]) == $process/
{
	from[arg0] = timestamp;
}

sched:::preempt /$process ? pid == $process : tid/ { from[(uintptr_t)curthread] = timestamp; }

sched:::on-cpu /from[(uintptr_t)curthread]/
{
	this->wait = (timestamp - from[(uintptr_t)curthread]) / ($milliseconds ? 1000000 : 1000);
	if ($processes || $threads)
		@each[execname, $threads ? tid : pid, UNIT] = quantize(this->wait);
	else
		@[UNIT] = quantize(this->wait);
	from[(uintptr_t)curthread] = 0;
}

tick-$interval, END
/!$count || reports++ < $count/
{
	if ($timestamps) printf("%Y\n", walltimestamp);
	printa("  %s%@d\n", @);
	printa("  %S %d, %s%@d\n", @each);
	trunc(@);
	trunc(@each);
}
tick-$interval /$count && reports == $count/ { exit(0); }
