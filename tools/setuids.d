#!/usr/sbin/dtrace -s
/* Processes that change their user: the call, the users that it names, and whether it succeeded. -1 leaves a user as
   it is. Source: the system calls setuid(), setreuid(), setresuid() and setfsuid(). */
#pragma D summary processes that change their user
#pragma D flag p process process only those of this process
#pragma D flag n name string only those of programs whose name contains this
#pragma D flag x failed bool only those that fail
#pragma D example setuids -n sudo -- whose rights sudo takes
#pragma D option quiet
#pragma D option switchrate=10hz

inline string SHOWN[uint32_t user] = user == 0xffffffff ? "-1" : lltostr(user);

BEGIN { printf("%-20s %-8s %-16s %-8s %-9s %6s %s\n", "TIME", "PID", "COMMAND", "UID", "CALL", "RESULT", "USERS"); }

syscall::setuid:entry, syscall::setreuid:entry, syscall::setresuid:entry, syscall::setfsuid:entry
/(!$process || pid == $process) && ($name == "" || strstr(execname, $name) != NULL)/
{
	self->changes = 1;
	self->from = uid;	/* at the return it can be another */
	self->first = arg0;
	self->second = arg1;
	self->third = arg2;
}

/* What setfsuid() returns is the user before it. */
syscall::setuid:return, syscall::setreuid:return, syscall::setresuid:return, syscall::setfsuid:return
/self->changes && (!$failed || errno)/
{
	printf("%-20Y %-8d %-16S %-8d %-9s %6d", walltimestamp, pid, execname, self->from, probefunc, errno ? -errno : 0);
	printf(" %s", SHOWN[self->first]);
	if (probefunc == "setreuid" || probefunc == "setresuid") printf(" %s", SHOWN[self->second]);
	if (probefunc == "setresuid") printf(" %s", SHOWN[self->third]);
	printf("\n");
}

syscall::setuid:return, syscall::setreuid:return, syscall::setresuid:return, syscall::setfsuid:return
{
	self->changes = 0;
	self->first = 0;
	self->second = 0;
	self->third = 0;
	self->from = 0;
}
