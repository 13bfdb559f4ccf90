#!/usr/sbin/dtrace -s
/* Files as they are opened, by which process; where one could not be, FD is -1 and ERR says why. */
#pragma D option quiet
#pragma D option strsize=1024
#pragma D option bufsize=16m
#pragma D option switchrate=10hz

BEGIN { printf("%-8s %-16s %4s %4s %s\n", "PID", "COMMAND", "FD", "ERR", "PATH"); }

syscall::open:entry { self->in = 1; self->path = arg0; }
syscall::openat:entry, syscall::openat2:entry { self->in = 1; self->path = arg1; }

/* The path is read when the call ends: it is certain then that its memory is there. */
syscall::open:return, syscall::openat:return, syscall::openat2:return
/self->in/
{
	self->in = 0;
	printf("%-8d %-16s %4d %4d %s\n", pid, execname, errno ? -1 : (int)arg1, errno, copyinstr(self->path));
}
