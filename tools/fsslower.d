#!/usr/sbin/dtrace -s
/* Operations on files that take long, on one type of file system or on all: R is a read, W a write, O an open, F a
   fsync. Source: system calls, and the kernel's structures of open files. */
#pragma D summary operations on files that take long
#pragma D flag t type filesystem only on this type of file system, such as ext4
#pragma D flag p process process only those of this process
#pragma D flag m milliseconds int=-1 the same as LEAST
#pragma D flag d duration period=365d ends after this time
#pragma D argument least uint=10 only those that take at least this many milliseconds
#pragma D example fsslower -t ext4 1 -- operations on ext4 of a millisecond or more
#pragma D option quiet
#pragma D option strsize=512
#pragma D option switchrate=10hz

inline string OPERATION = strstr(probefunc, "read") != NULL ? "R" : strstr(probefunc, "write") != NULL ? "W" :
    strstr(probefunc, "sync") != NULL ? "F" : "O";
inline int64_t LEAST = $milliseconds >= 0 ? $milliseconds : $least;
inline int IS_REGULAR[int fd] = getf(fd) != NULL && (getf(fd)->f_inode->i_mode & 0170000) == 0100000;

BEGIN
{
	printf("%-20s %-16s %-8s %-8s %-2s %10s %9s %s\n", "TIME", "COMMAND", "PID", "TYPE", "T", "BYTES", "LAT(ms)", "FILE");
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry, syscall::preadv2:entry,
syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry, syscall::pwritev:entry, syscall::pwritev2:entry,
syscall::fsync:entry, syscall::fdatasync:entry
/!$process || pid == $process/
{
	self->start = timestamp;
	self->fd = (int)arg0;
}

syscall::open:entry, syscall::openat:entry, syscall::openat2:entry
/!$process || pid == $process/
{
	self->start = timestamp;
	self->fd = -1;	/* it is what the call returns */
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return, syscall::preadv2:return,
syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return,
syscall::pwritev2:return, syscall::fsync:return, syscall::fdatasync:return, syscall::open:return,
syscall::openat:return, syscall::openat2:return
/self->start/
{
	this->ns = timestamp - self->start;
	this->fd = self->fd == -1 ? (int)arg1 : self->fd;
	self->start = 0;
	if (!errno && this->ns >= LEAST * 1000000 && IS_REGULAR[this->fd] && ($type == "" || fds[this->fd].fi_fs == $type))
		printf("%-20Y %-16S %-8d %-8s %-2s %10d %{ms}9.3f %S\n", walltimestamp, execname, pid, fds[this->fd].fi_fs,
		    OPERATION, OPERATION == "O" || OPERATION == "F" ? 0 : arg1, this->ns,
		    fds[this->fd].fi_pathname);
}

tick-$duration { exit(0); }
