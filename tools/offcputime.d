#!/usr/sbin/dtrace -s
/* Where in the kernel threads leave their CPU, and how many us they are away: of all programs, or of a process. */
#pragma D option quiet
#pragma D option defaultargs

BEGIN { printf("Time away from a CPU is added up until Ctrl-C.\n"); }

/* By its number: a thread's own variables cannot be had here before Linux 6.4. Who has ended does not come back. */
sched:::off-cpu /($1 ? pid == $1 : tid) && !curthread->exit_state/ { left[tid] = timestamp; }

sched:::on-cpu /left[tid]/
{
	@[execname, stack()] = sum((timestamp - left[tid]) / 1000);
	left[tid] = 0;
}

END { printa("%s%k%@u us\n\n", @); }
