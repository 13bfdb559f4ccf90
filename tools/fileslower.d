#!/usr/sbin/dtrace -s
/* Reads and writes of files that take long. Files that a program maps into its memory, and operations of io_uring and
   sendfile(), are not seen.
   Source: the system calls read(), write() and their relatives, and the kernel's structures of open files. */
#pragma D summary reads and writes of files that take long
#pragma D flag p process process only those of this process
#pragma D flag a all bool also pipes, sockets, terminals and devices
#pragma D argument least uint=10 only those that take at least this many milliseconds
#pragma D example fileslower 1 -- reads and writes of a millisecond or more
#pragma D option quiet
#pragma D option strsize=512
#pragma D option switchrate=10hz

inline int IS_REGULAR[int fd] = getf(fd) != NULL && (getf(fd)->f_inode->i_mode & 0170000) == 0100000;

BEGIN { printf("%-20s %-8s %-16s %-10s %10s %9s %s\n", "TIME", "PID", "COMMAND", "CALL", "BYTES", "LAT(ms)", "FILE"); }

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry, syscall::preadv2:entry,
syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry, syscall::pwritev:entry, syscall::pwritev2:entry
/(!$process || pid == $process) && ($all || IS_REGULAR[(int)arg0])/
{
	self->start = timestamp;
	self->fd = (int)arg0;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return, syscall::preadv2:return,
syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return,
syscall::pwritev2:return
/self->start && timestamp - self->start >= $least * 1000000/
{
	printf("%-20Y %-8d %-16S %-10s %10d %{ms}9.3f %S\n", walltimestamp, pid, execname, probefunc,
	    errno ? -errno : (int64_t)arg1, timestamp - self->start, fds[self->fd].fi_pathname);
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return, syscall::preadv2:return,
syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return,
syscall::pwritev2:return
{
	self->start = 0;
}
