#!/usr/sbin/dtrace -s
/* How long functions or system calls take, such as 'syscall::read', 'pid1234:libc:malloc' or 'fbt::vfs_read'. If a
   function calls itself, the outermost call is measured; of one that began before tracing, the calls within it that
   begin later. Source: the probes entry and return of the functions. */
#pragma D summary how long functions or system calls take
#pragma D flag p process process only in this process
#pragma D flag u microseconds bool in microseconds instead of nanoseconds
#pragma D flag m milliseconds bool in milliseconds instead of nanoseconds
#pragma D flag F functions bool separately for each function
#pragma D flag T timestamps bool the time of day before each report
#pragma D flag i interval period=365d the time between two reports
#pragma D flag d duration period=365d ends after this time
#pragma D argument function string=syscall::read a description of functions, without the name of the probe
#pragma D example funclatency -u syscall::futex -- how long programs wait for locks
#pragma D example funclatency -F 'pid1234:libc:*alloc' -- functions of the C library, in one process
#pragma D option quiet
#pragma D option demangle

inline string UNIT = $milliseconds ? "ms" : $microseconds ? "us" : "ns";

BEGIN { printf("Calls of %s are timed... Ctrl-C ends it.\n", $function); }

$function:entry
/(!$process || pid == $process) && ++self->depth[probefunc] == 1/
{
	self->start[probefunc] = timestamp;
}

$function:return
/self->start[probefunc] && --self->depth[probefunc] == 0/
{
	@[$functions ? probefunc : "all", UNIT] = quantize((timestamp - self->start[probefunc]) /
	    ($milliseconds ? 1000000 : $microseconds ? 1000 : 1));
	self->start[probefunc] = 0;
}

tick-$interval, END
{
	if ($timestamps) printf("%Y\n", walltimestamp);
	printa("  %S, %s%@d\n", @);
	trunc(@);
}
tick-$duration { exit(0); }
