#!/usr/sbin/dtrace -s
/* Calls of functions, or system calls, that take long, each time: descriptions are such as 'syscall::futex',
   'pid1234:libc:malloc' or 'fbt::vfs_read'. If a function calls itself, the outermost call is measured. What a call
   RETURNS is a hexadecimal number. Source: the probes entry and return of the functions. */
#pragma D summary calls of functions, or system calls, that take long
#pragma D flag p process process only in this process
#pragma D flag u microseconds uint=1000 only those that take at least this many microseconds
#pragma D flag m milliseconds uint only those that take at least this many milliseconds
#pragma D flag t seconds bool also the seconds since the start
#pragma D flag T timestamps bool the time of day, which is always shown
#pragma D flag a arguments uint also so many arguments of the call, 6 at most, in hexadecimal
#pragma D flag s argument int=-1 also the text, such as a query, to which this argument points; 0 is the first
#pragma D flag K kernel bool also the stack of the kernel, at the return
#pragma D flag U user bool also the stack of the program, at the return
#pragma D argument function string=syscall::read a description of functions, without the name of the probe
#pragma D example funcslower -u 100000 syscall::futex -- waits for locks of 100 ms or more
#pragma D example funcslower -m 10 -s 0 -p 1234 'pid$target:a.out:run_query' -- slow calls of a program's function
#pragma D option quiet
#pragma D option demangle
#pragma D option switchrate=10hz

inline uint64_t LEAST = $milliseconds ? $milliseconds * 1000 : $microseconds;

BEGIN
{
	begin = timestamp;
	if ($seconds) printf("%-12s ", "TIME(s)");
	printf("%-20s %-16s %-8s %-8s %10s %16s %s", "TIME", "COMMAND", "PID", "TID", "LAT(us)", "RETURNS", "FUNCTION");
	if ($arguments > 0) printf(" %s", "ARG0"); if ($arguments > 1) printf(" %s", "ARG1");
	if ($arguments > 2) printf(" %s", "ARG2"); if ($arguments > 3) printf(" %s", "ARG3");
	if ($arguments > 4) printf(" %s", "ARG4"); if ($arguments > 5) printf(" %s", "ARG5");
	if ($argument >= 0) printf(" %s", "TEXT"); printf("\n");
}
$function:entry
/(!$process || pid == $process) && ++self->depth[probefunc] == 1/
{
	self->start[probefunc] = timestamp;
}
$function:entry
/($arguments || $argument >= 0) && self->start[probefunc] && self->depth[probefunc] == 1/
{
	self->a0[probefunc] = arg0; self->a1[probefunc] = arg1; self->a2[probefunc] = arg2;
	self->a3[probefunc] = arg3; self->a4[probefunc] = arg4; self->a5[probefunc] = arg5;
	self->text[probefunc] = $argument < 0 ? "" : copyinstr($argument == 0 ? arg0 : $argument == 1 ? arg1 :
		    $argument == 2 ? arg2 : $argument == 3 ? arg3 : $argument == 4 ? arg4 : arg5);
}
$function:return
/self->start[probefunc] && --self->depth[probefunc] == 0/
{
	this->us = (timestamp - self->start[probefunc]) / 1000; self->start[probefunc] = 0;
	if (this->us >= LEAST) {
		if ($seconds) printf("%{s}-12.6f ", timestamp - begin);
		printf("%-20Y %-16S %-8d %-8d %10d %#16x %S", walltimestamp, execname, pid, tid, this->us, arg1, probefunc);
		if ($arguments > 0) printf(" %#x", self->a0[probefunc]); if ($arguments > 1) printf(" %#x", self->a1[probefunc]);
		if ($arguments > 2) printf(" %#x", self->a2[probefunc]); if ($arguments > 3) printf(" %#x", self->a3[probefunc]);
		if ($arguments > 4) printf(" %#x", self->a4[probefunc]); if ($arguments > 5) printf(" %#x", self->a5[probefunc]);
		if ($argument >= 0) printf(" \"%S\"", self->text[probefunc]); printf("\n");
		if ($kernel) stack(); if ($user) ustack();
	}
}
