#!/usr/sbin/dtrace -s
/* Programs as they are started: the process, its parent, and the words of the command line. With -x also those that
   could not be started: RET is the error then, and ARGS the path. Source: the provider proc. */
#pragma D summary programs as they are started, with their arguments
#pragma D flag p parent process only those that this process starts
#pragma D flag P starter process the same
#pragma D flag u user user=-1 only those of this user
#pragma D flag n name string only programs whose name contains this
#pragma D flag l line string only those whose arguments contain this
#pragma D flag x failed bool also those that could not be started
#pragma D flag t seconds bool also the seconds since the start
#pragma D flag T timestamps bool also the time of day
#pragma D flag U users bool also the user
#pragma D example execsnoop -x -T -- everything, with the time of day
#pragma D example execsnoop -l http -- programs that are given the address of a page
#pragma D option quiet
#pragma D option strsize=4096
#pragma D option switchrate=10hz

inline int IS_CHILD = (!$parent || ppid == $parent) && (!$starter || ppid == $starter);

BEGIN
{
	begun = timestamp;
	if ($seconds) printf("%-10s ", "TIME(s)");
	if ($timestamps) printf("%-20s ", "TIME");
	if ($users) printf("%-6s ", "UID");
	printf("%-16s %-8s %-8s %4s %s\n", "COMMAND", "PID", "PPID", "RET", "ARGS");
}

proc:::exec-success
/IS_CHILD && ($user < 0 || uid == $user) && ($name == "" || strstr(execname, $name) != NULL) &&
    ($line == "" || strstr(execargs, $line) != NULL)/
{
	if ($seconds) printf("%{s}-10.3f ", timestamp - begun);
	if ($timestamps) printf("%-20Y ", walltimestamp);
	if ($users) printf("%-6d ", uid);
	printf("%-16S %-8d %-8d %4d %S\n", execname, pid, ppid, 0, execargs);
}

syscall::execve:entry /$failed/ { self->path = arg0; }
syscall::execveat:entry /$failed/ { self->path = arg1; }

/* The program that could not be started is still the one that asked for it: COMMAND is its name. */
proc:::exec-failure
/$failed && IS_CHILD && ($user < 0 || uid == $user) &&
    ($name == "" || strstr(execname, $name) != NULL) && ($line == "" || strstr(copyinstr(self->path), $line) != NULL)/
{
	if ($seconds) printf("%{s}-10.3f ", timestamp - begun);
	if ($timestamps) printf("%-20Y ", walltimestamp);
	if ($users) printf("%-6d ", uid);
	printf("%-16S %-8d %-8d %4d %S\n", execname, pid, ppid, args[0], copyinstr(self->path));
}

syscall::execve:return, syscall::execveat:return /$failed/ { self->path = 0; }
