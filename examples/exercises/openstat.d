#!/usr/sbin/dtrace -qs
/*
 * Exercise 2: how often each process opens and creates files, and how often it gets one.
 *
 *     openstat.d [SECONDS]      a table every so many seconds; 1 if it is not given
 */

#pragma D option defaultargs

syscall::open:entry
{
	self->flags = arg1 + 1;
}

syscall::openat:entry
{
	self->flags = arg2 + 1;
}

syscall::open:return, syscall::openat:return
/self->flags/
{
	this->create = (self->flags - 1) & O_CREAT;
	@opened[execname, pid] = sum(this->create ? 0 : 1);
	@created[execname, pid] = sum(this->create ? 1 : 0);
	@successful[execname, pid] = sum((int)arg0 >= 0 ? 1 : 0);
	self->flags = 0;
}

tick-1s
/++seconds % ($1 > 1 ? $1 : 1) == 0/
{
	printf("%Y\n%-16s %7s %8s %8s %8s\n", walltimestamp, "PROGRAM", "PID", "OPEN", "CREATE", "SUCCESS");
	printa("%-16s %7d %@8d %@8d %@8d\n", @opened, @created, @successful);
	trunc(@opened);
	trunc(@created);
	trunc(@successful);
}

END
{
	printf("%Y\n%-16s %7s %8s %8s %8s\n", walltimestamp, "PROGRAM", "PID", "OPEN", "CREATE", "SUCCESS");
	printa("%-16s %7d %@8d %@8d %@8d\n", @opened, @created, @successful);
}
