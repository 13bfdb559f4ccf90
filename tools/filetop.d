#!/usr/sbin/dtrace -s
/* Which files programs read and write most, and which programs, in each interval: calls and KiB. Files that a program
   maps into its memory, and operations of io_uring and sendfile(), are not seen. Source: the system calls read() and
   write() and their relatives, and the kernel's structures of open files. */
#pragma D summary which files programs read and write most
#pragma D flag p process process only those of this process
#pragma D flag r rows count in each report only so many files, those with the largest values
#pragma D flag s sort string=rbytes the largest first of: rbytes wbytes reads writes
#pragma D flag a all bool also pipes, sockets, terminals and devices
#pragma D flag C keep bool do not clear the terminal before a report
#pragma D argument interval period=1s the time between two reports
#pragma D argument count count how many reports
#pragma D example filetop -p 1234 5 -- the files of one process, a report each five seconds
#pragma D option quiet
#pragma D option refresh
#pragma D option strsize=512
#pragma D option aggsortrev

inline int IS_REGULAR[int fd] = getf(fd) != NULL && (getf(fd)->f_inode->i_mode & 0170000) == 0100000;
inline string POSITION = $sort == "rbytes" ? "0" : $sort == "wbytes" ? "1" : $sort == "reads" ? "2" :
    $sort == "writes" ? "3" : "";
BEGIN /$keep/ { setopt("refresh", "no"); }
BEGIN /POSITION == ""/ { printf("-s: there is no %S; there are rbytes, wbytes, reads and writes\n", $sort); exit(2); }
BEGIN /POSITION != ""/ { setopt("aggsortpos", POSITION); printf("Reads and writes are counted... Ctrl-C ends it.\n"); }

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry, syscall::preadv2:entry,
syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry, syscall::pwritev:entry, syscall::pwritev2:entry
/(!$process || pid == $process) && ($all || IS_REGULAR[(int)arg0])/ { self->fd = (int)arg0 + 1; }

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return, syscall::preadv2:return
/self->fd/
{
	if (!errno) {
		@read[pid, execname, fds[self->fd - 1].fi_pathname] = sum(arg1);
		@reads[pid, execname, fds[self->fd - 1].fi_pathname] = count();
	}
	self->fd = 0;
}
syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return,
syscall::pwritev2:return
/self->fd/
{
	if (!errno) {
		@written[pid, execname, fds[self->fd - 1].fi_pathname] = sum(arg1);
		@writes[pid, execname, fds[self->fd - 1].fi_pathname] = count();
	}
	self->fd = 0;
}

tick-$interval, END
/POSITION != "" && (!$count || reports++ < $count)/
{
	printf("\n%Y  load %{load1}.2f %{load5}.2f %{load15}.2f  available %{memavailable,MiB}d MiB\n", walltimestamp);
	printf("%-8s %-16s %9s %9s %9s %9s %s\n", "PID", "COMMAND", "READ KiB", "WRITE KiB", "READS", "WRITES", "FILE");
	normalize(@read, 1024); normalize(@written, 1024);
	if ($rows) trunc(@read, @written, @reads, @writes, $rows);
	printa("%-8d %-16S %@9d %@9d %@9d %@9d %S\n", @read, @written, @reads, @writes);
	trunc(@read); trunc(@written); trunc(@reads); trunc(@writes);
}
tick-$interval /$count && reports == $count/ { exit(0); }
