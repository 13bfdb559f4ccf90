#!/usr/sbin/dtrace -s
/* Who wakes threads that sleep, where in the kernel, and how many microseconds they slept in all.
   Source: the provider sched. */
#pragma D summary who wakes threads that sleep, and how long they slept
#pragma D flag p process process only threads of this process
#pragma D flag u user bool only threads of programs, not those of the kernel
#pragma D flag m least int only sleeps of at least this many microseconds
#pragma D argument duration time=365d ends after this time
#pragma D example wakeuptime -p 1234 10 -- what process 1234 waits for, in ten seconds
#pragma D option quiet

inline int PF_KTHREAD = 0x200000;	/* a thread of the kernel: include/linux/sched.h */

BEGIN { printf("Sleeps are added up... Ctrl-C ends it.\n"); }

sched:::sleep
/(!$process || pid == $process) && (!$user || !(curthread->flags & PF_KTHREAD)) && !curthread->exit_state/
{
	asleep[tid] = timestamp;
}

/* In the thread, or the interrupt, that wakes. */
sched:::wakeup
/asleep[args[0]->pr_lwpid]/
{
	this->ns = timestamp - asleep[args[0]->pr_lwpid];
	asleep[args[0]->pr_lwpid] = 0;
	if (this->ns >= $least * 1000)
		@[args[1]->pr_fname, execname, stack()] = sum(this->ns);
}

tick-$duration { exit(0); }
END { normalize(@, 1000); printa("%S is woken by %S%k%@u us\n\n", @); }
