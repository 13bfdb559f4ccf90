#!/usr/sbin/dtrace -s
/* Calls that wait until data is on the disk: by which program, for which file, and how long they took.
   Source: the system calls sync(), syncfs(), fsync(), fdatasync(), sync_file_range() and msync(). */
#pragma D summary calls that wait until data is on the disk
#pragma D flag p process process only those of this process
#pragma D example syncsnoop -p 1234 -- how often a database waits for its disk
#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN { printf("%-20s %-8s %-16s %-16s %10s %s\n", "TIME", "PID", "COMMAND", "CALL", "MS", "FILE"); }

syscall::sync:entry, syscall::msync:entry
/!$process || pid == $process/
{
	self->start = timestamp;
	self->fd = -1;
}

syscall::syncfs:entry, syscall::fsync:entry, syscall::fdatasync:entry, syscall::sync_file_range:entry
/!$process || pid == $process/
{
	self->start = timestamp;
	self->fd = (int)arg0;
}

syscall::sync:return, syscall::msync:return, syscall::syncfs:return, syscall::fsync:return, syscall::fdatasync:return,
syscall::sync_file_range:return
/self->start/
{
	this->ns = timestamp - self->start;
	self->start = 0;
	printf("%-20Y %-8d %-16S %-16s %{ms}10.3f %S\n", walltimestamp, pid, execname, probefunc, this->ns,
	    self->fd == -1 ? "-" : fds[self->fd].fi_pathname);
}
