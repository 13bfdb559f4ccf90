#!/usr/sbin/dtrace -s
/* How long threads that could run wait for a CPU, in microseconds: all, or those of the process that is named. */
#pragma D option quiet
#pragma D option defaultargs

BEGIN { printf("Waits for a CPU are timed until Ctrl-C.\n"); }

/* By its address, a thread is the same for those who wake it and for itself. */
sdt:sched::sched_wakeup, sdt:sched::sched_wakeup_new /!$1 || args[0]->tgid == $1/ { from[arg0] = timestamp; }

sched:::preempt /$1 ? pid == $1 : tid/ { from[(uintptr_t)curthread] = timestamp; }

sched:::on-cpu /from[(uintptr_t)curthread]/
{
	@ = quantize((timestamp - from[(uintptr_t)curthread]) / 1000);
	from[(uintptr_t)curthread] = 0;
}

END { printa("  us%@d\n", @); }
