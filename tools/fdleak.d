#!/usr/sbin/dtrace -s
/* Descriptors of files, sockets and pipes that a process opens and does not close: how many, by the system call and the
   stack that opened them. The process is that of -p, or the command of -c. What it had open before is not seen, nor
   what it gets by recvmsg() or io_uring; those that close_range() or execve() closes stay. Source: system calls. */
#pragma D summary file descriptors that a process does not close, by the stack that opened them
#pragma D flag f frames count=10 how many frames of the stack
#pragma D flag P paths bool also the path of the file
#pragma D flag T top count in the last report only so many stacks, those that keep the most
#pragma D argument interval period=5s the time between two reports
#pragma D argument count count how many reports
#pragma D example fdleak -p 1234 10 1 -- what process 1234 opens in ten seconds and keeps
#pragma D example fdleak -P -p 1234 -- which files
#pragma D option quiet
#pragma D option strsize=1024
#pragma D option aggnonzero

string by[int];	/* of each descriptor that is open: the call */
BEGIN { printf("Descriptors are counted... Ctrl-C ends it.\n"); }
syscall::close:entry /0/ { from[0] = ustack($frames); }	/* says what the array holds */

/* Before it is free: another thread may get the same number as soon as it is. dup2() closes what it is given. */
syscall::close:entry /pid == $target/ { self->closed = (int)arg0 + 1; }
syscall::dup[23]:entry /pid == $target && arg0 != arg1/ { self->over = (int)arg1 + 1; }
syscall::dup[23]:return /!errno/ { self->closed = self->over; }
syscall::close:entry, syscall::dup[23]:return
/self->closed/
{
	if (by[self->closed - 1] != "") @[by[self->closed - 1], from[self->closed - 1]] = sum(-1);
	by[self->closed - 1] = 0; from[self->closed - 1] = 0; self->closed = 0;
}
syscall::fcntl:entry /pid == $target && (arg1 == F_DUPFD || arg1 == F_DUPFD_CLOEXEC)/ { self->opens = 1; }
syscall::pipe*:entry, syscall::socketpair:entry
/pid == $target/ { self->pair = probefunc == "socketpair" ? arg3 : arg0; }
syscall::pipe*:return, syscall::socketpair:return
/self->pair && !errno/
{
	this->two = (int *)copyin(self->pair, 8);
	by[this->two[0]] = probefunc; from[this->two[0]] = ustack($frames);
	by[this->two[1]] = probefunc; from[this->two[1]] = ustack($frames);
	@[by[this->two[0]], from[this->two[0]]] = sum(2);
}
syscall::open*:return, syscall::creat:return, syscall::socket:return, syscall::accept*:return, syscall::dup*:return,
syscall::epoll_create*:return, syscall::eventfd*:return, syscall::timerfd_create:return, syscall::signalfd*:return,
syscall::inotify_init*:return, syscall::memfd_create:return, syscall::pidfd_open:return, syscall::fcntl:return
/pid == $target && !errno && (self->opens || self->over ||
    (probefunc != "dup2" && probefunc != "dup3" && probefunc != "fcntl"))/
{
	this->by = $paths ? strjoin(strjoin(probefunc, " "), fds[arg1].fi_pathname) : probefunc;
	by[(int)arg1] = this->by; from[(int)arg1] = ustack($frames); @[this->by, from[(int)arg1]] = sum(1);
}
syscall::dup*:return, syscall::fcntl:return { self->over = 0; self->opens = 0; }
syscall::pipe*:return, syscall::socketpair:return { self->pair = 0; }
tick-$interval, END
/!$count || reports++ < $count/
{
	printf("\n%Y\n", walltimestamp);
	if ($top && (probename == "END" || ($count && reports == $count))) trunc(@, $top);
	printa("%S%kopen: %@d\n", @);
}
tick-$interval /$count && reports == $count/ { exit(0); }
