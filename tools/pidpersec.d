#!/usr/sbin/dtrace -s
/* How many processes, and other threads, are created in each second or other interval. Source: the provider proc. */
#pragma D summary how many processes and threads are created per interval
#pragma D argument interval period=1s the time between two reports
#pragma D argument count count how many reports
#pragma D example pidpersec 10s -- processes and threads in ten seconds
#pragma D option quiet

BEGIN { printf("%-20s %10s %10s\n", "TIME", "PROCESSES", "THREADS"); }

proc:::create { @processes = sum(1); }
proc:::lwp-create { @threads = sum(1); }

tick-$interval
{
	@processes = sum(0);	/* so that there is a row, even if there was none */
	@threads = sum(0);
	printf("%-20Y", walltimestamp);
	printa(" %@10d %@10d\n", @processes, @threads);
	clear(@processes);
	clear(@threads);
}
tick-$interval /$count && ++reports == $count/ { exit(0); }
