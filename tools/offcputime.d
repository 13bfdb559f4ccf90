#!/usr/sbin/dtrace -s
/* Where in the kernel threads leave their CPU, and how many us they are away: of all programs, or of a process. */
#pragma D option quiet
#pragma D option defaultargs

BEGIN { printf("Time away from a CPU is added up until Ctrl-C.\n"); }

sched:::off-cpu /$1 ? pid == $1 : tid/ { self->left = timestamp; }

sched:::on-cpu /self->left/
{
	@[execname, stack()] = sum((timestamp - self->left) / 1000);
	self->left = 0;
}

END { printa("%s%k%@u us\n\n", @); }
