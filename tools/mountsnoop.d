#!/usr/sbin/dtrace -s
/* File systems that are mounted and unmounted: the call as the program makes it, and its result, 0 or a negative error.
   NS is the mount namespace. Source: the system calls mount(), umount2(), move_mount() and pivot_root(). */
#pragma D summary file systems that are mounted and unmounted
#pragma D flag p process process only calls of this process
#pragma D flag t timestamps bool also the time of day
#pragma D example mountsnoop -t -- what a container mounts when it starts
#pragma D option quiet
#pragma D option strsize=512
#pragma D option switchrate=10hz

BEGIN
{
	if ($timestamps) printf("%-20s ", "TIME");
	printf("%-16s %-8s %-8s %-11s %s\n", "COMMAND", "PID", "TID", "NS", "CALL");
}

syscall::mount:entry { self->a = arg0; self->b = arg1; self->c = arg2; self->flags = arg3; }
syscall::umount2:entry { self->b = arg0; self->flags = arg1; }
syscall::move_mount:entry { self->a = arg1; self->b = arg3; self->flags = arg4; }
syscall::pivot_root:entry { self->a = arg0; self->b = arg1; }

syscall::mount:return, syscall::umount2:return, syscall::move_mount:return, syscall::pivot_root:return
/self->b && (!$process || pid == $process)/
{
	if ($timestamps) printf("%-20Y ", walltimestamp);
	printf("%-16S %-8d %-8d %-11d %s(%s%S%s\"%S\", %s%S%s0x%x) = %d\n", execname, pid, tid,
	    curthread->nsproxy->mnt_ns->ns.inum, probefunc, self->a ? "\"" : "", self->a ? copyinstr(self->a) : "",
	    self->a ? "\", " : "", copyinstr(self->b), self->c ? "\"" : "", self->c ? copyinstr(self->c) : "",
	    self->c ? "\", " : "", self->flags, -errno);
}

syscall::mount:return, syscall::umount2:return, syscall::move_mount:return, syscall::pivot_root:return
{
	self->a = 0;
	self->b = 0;
	self->c = 0;
	self->flags = 0;
}
