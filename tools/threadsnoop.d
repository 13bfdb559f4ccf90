#!/usr/sbin/dtrace -s
/* Threads that programs create, and the function in which each begins.
   Source: the function pthread_create() of the C library, in every process that runs or starts later. */
#pragma D summary threads that programs create, and their functions
#pragma D flag n name string only those of programs whose name contains this
#pragma D example threadsnoop -n java -- the threads of Java
#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN { printf("%-20s %-8s %-16s %s\n", "TIME", "PID", "COMMAND", "FUNCTION"); }

pid*:libc:pthread_create:entry
/$name == "" || strstr(execname, $name) != NULL/
{
	printf("%-20Y %-8d %-16S %A\n", walltimestamp, pid, execname, arg2);
}
