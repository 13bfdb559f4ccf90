#!/usr/sbin/dtrace -s
/* System calls for shared memory of System V: who creates, attaches, detaches and removes which segment.
   Source: the system calls shmget(), shmat(), shmdt() and shmctl(). */
#pragma D summary who creates, attaches and removes shared memory
#pragma D flag p process process only calls of this process
#pragma D flag t thread process only calls of this thread
#pragma D flag n name string only those of programs whose name contains this
#pragma D flag d duration period=365d ends after this time
#pragma D flag T timestamps bool also the time of day
#pragma D example shmsnoop -n postgres -- shared memory of PostgreSQL
#pragma D option quiet
#pragma D option switchrate=10hz

inline int WANTED = (!$process || pid == $process) && (!$thread || tid == $thread) &&
    ($name == "" || strstr(execname, $name) != NULL);

BEGIN
{
	if ($timestamps) printf("%-20s ", "TIME");
	printf("%-8s %-16s %-7s %18s %s\n", "PID", "COMMAND", "CALL", "RESULT", "ARGUMENTS");
}

syscall::shmget:entry, syscall::shmat:entry, syscall::shmdt:entry, syscall::shmctl:entry
/WANTED/
{
	self->first = arg0;
	self->second = arg1;
	self->third = arg2;
}

syscall::shmget:return, syscall::shmat:return, syscall::shmdt:return, syscall::shmctl:return
/WANTED/
{
	if ($timestamps) printf("%-20Y ", walltimestamp);
	printf("%-8d %-16S %-7s ", pid, execname, probefunc);
	if (errno) printf("%18d ", -errno);
	else if (probefunc == "shmat") printf("%#18x ", arg1);
	else printf("%18d ", (int)arg1);
}

syscall::shmget:return /WANTED/
{
	printf("key: %#x, size: %d, flags: %#o\n", (int)self->first, self->second, (int)self->third);
}
syscall::shmat:return /WANTED/
{
	printf("id: %d, address: %#x, flags: %#o\n", (int)self->first, self->second, (int)self->third);
}
syscall::shmdt:return /WANTED/ { printf("address: %#x\n", self->first); }
syscall::shmctl:return /WANTED/ { printf("id: %d, command: %d\n", (int)self->first, (int)self->second); }

syscall::shm*:return { self->first = 0; self->second = 0; self->third = 0; }
tick-$duration { exit(0); }
