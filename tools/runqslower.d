#!/usr/sbin/dtrace -s
/* Threads that could run and waited long for a CPU, each time that they did.
   Source: the tracepoints sched_wakeup and sched_wakeup_new, and the provider sched. */
#pragma D summary threads that wait long for a CPU
#pragma D flag p process process only threads of this process
#pragma D flag t thread process only this thread
#pragma D flag P previous bool also the thread that had the CPU before
#pragma D argument least uint=10000 only waits of at least this many microseconds
#pragma D example runqslower 1000 -- waits of a millisecond or more
#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN
{
	printf("%-20s %-16s %-8s %-8s %10s", "TIME", "COMMAND", "PID", "TID", "LAT(us)");
	if ($previous) printf(" %-16s %-8s", "PREVIOUS", "TID");
	printf("\n");
}

/* By its address, a thread is the same for those that wake it and for itself. */
sdt:sched::sched_wakeup, sdt:sched::sched_wakeup_new
/(!$process || task_tgid_vnr(args[0]) == $process) && (!$thread || task_pid_vnr(args[0]) == $thread)/
{
	from[arg0] = timestamp;
}

sched:::preempt
/($process ? pid == $process : tid) && (!$thread || tid == $thread)/
{
	from[(uintptr_t)curthread] = timestamp;
}

sched:::off-cpu
/$previous/
{
	previous[cpu] = execname;
	thread[cpu] = tid;
}

sched:::on-cpu
/from[(uintptr_t)curthread]/
{
	this->us = (timestamp - from[(uintptr_t)curthread]) / 1000;
	from[(uintptr_t)curthread] = 0;
	if (this->us >= $least) {
		printf("%-20Y %-16S %-8d %-8d %10d", walltimestamp, execname, pid, tid, this->us);
		if ($previous) printf(" %-16S %-8d", previous[cpu], thread[cpu]);
		printf("\n");
	}
}
