#!/usr/sbin/dtrace -s
/* Load averages, threads that run or could run, and memory that programs could get, in each interval.
   Source: the numbers of /proc that dtrace reads when it prints. */
#pragma D summary load averages, and memory that programs could get
#pragma D argument interval period=1s the time between two lines
#pragma D argument count count how many lines
#pragma D example loads 5 -- a line each five seconds
#pragma D option quiet

BEGIN
{
	printf("%-20s %8s %8s %8s %8s %8s %10s\n", "TIME", "LOAD1", "LOAD5", "LOAD15", "RUNNING", "THREADS", "MEM(MiB)");
}

tick-$interval
{
	printf("%-20Y %{load1}8.2f %{load5}8.2f %{load15}8.2f ", walltimestamp);
	printf("%{running}8d %{threads}8d %{memavailable,MiB}10d\n");
}
tick-$interval /$count && ++reports == $count/ { exit(0); }
