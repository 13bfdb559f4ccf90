#!/usr/sbin/dtrace -s
/* How long operations on files take, by operation and type of file system: reads, writes, opens and fsyncs.
   Source: system calls, and the kernel's structures of open files. */
#pragma D summary how long operations on files take
#pragma D flag t type filesystem only on this type of file system, such as ext4
#pragma D flag p process process only those of this process
#pragma D flag m milliseconds bool in milliseconds instead of microseconds
#pragma D flag T timestamps bool the time of day before each report
#pragma D argument interval period=365d the time between two reports
#pragma D argument count count how many reports
#pragma D example fsdist -t ext4 10 1 -- ten seconds of operations on ext4
#pragma D option quiet

inline string UNIT = $milliseconds ? "ms" : "us";
inline string OPERATION = strstr(probefunc, "read") != NULL ? "read" : strstr(probefunc, "write") != NULL ? "write" :
    strstr(probefunc, "sync") != NULL ? "fsync" : "open";
inline int IS_REGULAR[int fd] = getf(fd) != NULL && (getf(fd)->f_inode->i_mode & 0170000) == 0100000;

BEGIN { printf("Operations on files are timed... Ctrl-C ends it.\n"); }

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
	this->fd = self->fd == -1 ? (int)arg1 : self->fd;
	if (!errno && IS_REGULAR[this->fd] && ($type == "" || fds[this->fd].fi_fs == $type))
		@[fds[this->fd].fi_fs, OPERATION, UNIT] = quantize((timestamp - self->start) / ($milliseconds ? 1000000 : 1000));
	self->start = 0;
}

tick-$interval, END
/!$count || reports++ < $count/
{
	if ($timestamps) printf("%Y\n", walltimestamp);
	printa("  %s %s, %s%@d\n", @);
	trunc(@);
}
tick-$interval /$count && reports == $count/ { exit(0); }
