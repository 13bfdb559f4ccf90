#!/usr/sbin/dtrace -s
/* Files whose attributes programs ask for by name, and the errors of those that fail.
   Source: the system calls stat(), lstat(), newfstatat(), statx() and statfs(). */
#pragma D summary files whose attributes programs ask for
#pragma D flag p process process only those of this process
#pragma D flag n name string only those of programs whose name contains this
#pragma D flag x failed bool only those that fail
#pragma D flag t timestamps bool also the time of day
#pragma D example statsnoop -x -- files that programs look for and do not find
#pragma D option quiet
#pragma D option strsize=1024
#pragma D option bufsize=16m
#pragma D option switchrate=10hz

BEGIN
{
	if ($timestamps) printf("%-20s ", "TIME");
	printf("%-8s %-16s %4s %4s %s\n", "PID", "COMMAND", "RET", "ERR", "PATH");
}

syscall::stat:entry, syscall::lstat:entry, syscall::statfs:entry { self->path = arg0; }

/* Without a name they ask for the attributes of a descriptor. */
syscall::newfstatat:entry, syscall::statx:entry { self->path = arg1; }

syscall::stat:return, syscall::lstat:return, syscall::newfstatat:return,
syscall::statx:return, syscall::statfs:return
/self->path && (!$process || pid == $process) && (!$failed || errno) &&
    ($name == "" || strstr(execname, $name) != NULL)/
{
	this->path = copyinstr(self->path);
	if (this->path != "") {
		if ($timestamps) printf("%-20Y ", walltimestamp);
		printf("%-8d %-16S %4d %4d %S\n", pid, execname, errno ? -1 : (int)arg1, errno, this->path);
	}
}

syscall::stat:return, syscall::lstat:return, syscall::newfstatat:return,
syscall::statx:return, syscall::statfs:return
{
	self->path = 0;
}
