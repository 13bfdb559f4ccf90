#!/usr/sbin/dtrace -s
/* Programs as they are started: the process, its parent, and the words of the command line. */
#pragma D option quiet
#pragma D option strsize=4096
#pragma D option switchrate=10hz

BEGIN { printf("%-16s %-8s %-8s %s\n", "COMMAND", "PID", "PPID", "ARGS"); }

proc:::exec-success
{
	printf("%-16s %-8d %-8d %s\n", execname, pid, ppid, execargs);
}
