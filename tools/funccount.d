#!/usr/sbin/dtrace -s
/* How often functions, system calls or other probes fire that match a description, such as 'syscall::read*:entry',
   'pid1234:libc:str*:entry', 'fbt::tcp_*:entry' or 'sdt:sched::'. Source: the probes that the description names. */
#pragma D summary how often functions or other probes fire
#pragma D flag p process process only in this process
#pragma D flag t top count=1000 how many rows
#pragma D flag i interval period=365d the time between two reports
#pragma D flag T timestamps bool the time of day before each report
#pragma D flag d duration period=365d ends after this time
#pragma D argument probes string=syscall:::entry a description of probes
#pragma D example funccount -d 10 'pid1234:libc:*alloc:entry' -- functions of the C library, in one process
#pragma D option quiet
#pragma D option demangle
#pragma D option aggsortrev

BEGIN { printf("Probes are counted... Ctrl-C ends it.\n"); }

$probes /!$process || pid == $process/ { @[probemod, probefunc, probename] = count(); }

tick-$interval, END
{
	trunc(@, $top);
	if ($timestamps) printf("%Y\n", walltimestamp);
	printf("%-20s %-40s %-24s %10s\n", "MODULE", "FUNCTION", "NAME", "COUNT");
	printa("%-20S %-40S %-24S %@10u\n", @);
	trunc(@);
}

tick-$duration { exit(0); }
