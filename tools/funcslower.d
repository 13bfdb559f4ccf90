#!/usr/sbin/dtrace -s
/* Calls of functions, or system calls, that take long, each time: descriptions are such as 'syscall::futex',
   'pid1234:libc:malloc' or 'fbt::vfs_read'. If a function calls itself, the outermost call is measured. What a call
   RETURNS is a hexadecimal number.
   Source: the probes entry and return of the functions. */
#pragma D summary calls of functions, or system calls, that take long
#pragma D flag p process process only in this process
#pragma D flag u microseconds uint=1000 only those that take at least this many microseconds
#pragma D flag K kernel bool also the stack of the kernel, at the return
#pragma D flag U user bool also the stack of the program, at the return
#pragma D argument function string=syscall::read a description of functions, without the name of the probe
#pragma D example funcslower -u 100000 syscall::futex -- waits for locks of 100 ms or more
#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN
{
	printf("%-20s %-16s %-8s %-8s %10s %16s %s\n", "TIME", "COMMAND", "PID", "TID", "LAT(us)", "RETURNS", "FUNCTION");
}

$function:entry
/(!$process || pid == $process) && ++self->depth[probefunc] == 1/
{
	self->start[probefunc] = timestamp;
}

$function:return
/self->start[probefunc] && --self->depth[probefunc] == 0/
{
	this->us = (timestamp - self->start[probefunc]) / 1000;
	self->start[probefunc] = 0;
	if (this->us >= $microseconds) {
		printf("%-20Y %-16S %-8d %-8d %10d %#16x %S\n", walltimestamp, execname, pid, tid, this->us, arg1, probefunc);
		if ($kernel) stack();
		if ($user) ustack();
	}
}
