#!/usr/sbin/dtrace -s
/* Reads, writes, opens and fsyncs of files on ext4 that take long, from the call of the program to its return. fsslower
   does the same for any file system. Source: system calls, and the kernel's structures of open files. */
#pragma D summary operations on files of ext4 that take long
#pragma D flag p process process only those of this process
#pragma D flag j csv bool values with commas between them, for other programs
#pragma D argument least uint=10 only those that take at least this many milliseconds
#pragma D argument duration period=365d ends after this time
#pragma D example ext4slower 1 -- operations of a millisecond or more
#pragma D option quiet
#pragma D option strsize=512
#pragma D option switchrate=10hz

/* S_IFMT and S_IFREG: a regular file. */
inline int IS_OURS[int fd] = getf(fd) != NULL && (getf(fd)->f_inode->i_mode & 0170000) == 0100000 &&
    fds[fd].fi_fs == "ext4";

BEGIN { printf("%-20s %-16s %-8s %-9s %10s %9s %s\n", "TIME", "COMMAND", "PID", "CALL", "BYTES", "LAT(ms)", "FILE"); }

syscall::read:entry, syscall::pread64:entry, syscall::write:entry, syscall::pwrite64:entry, syscall::fsync:entry,
syscall::fdatasync:entry, syscall::openat:entry
/!$process || pid == $process/
{
	self->begin = timestamp;
	self->fd = (int)arg0;
}

/* What openat() opens is what it returns. Sizes are those of reads and writes. */
syscall::read:return, syscall::pread64:return, syscall::write:return, syscall::pwrite64:return, syscall::fsync:return,
syscall::fdatasync:return, syscall::openat:return
/self->begin && !errno && timestamp - self->begin >= $least * 1000000/
{
	this->fd = probefunc == "openat" ? (int)arg1 : self->fd;
	if (IS_OURS[this->fd])
		printf("%-20Y %-16S %-8d %-9s %10d %{ms}9.3f %S\n", walltimestamp, execname, pid, probefunc,
		    probefunc == "openat" ? 0 : arg1, timestamp - self->begin, fds[this->fd].fi_pathname);
}

syscall::read:return, syscall::pread64:return, syscall::write:return, syscall::pwrite64:return, syscall::fsync:return,
syscall::fdatasync:return, syscall::openat:return
{
	self->begin = 0;
}

tick-$duration { exit(0); }
