#!/usr/sbin/dtrace -s
/* How long threads stay on a CPU, each time they get one, or with -O how long they stay off it.
   Source: the provider sched. */
#pragma D summary how long threads stay on a CPU, or off it
#pragma D flag O off bool the times off a CPU
#pragma D flag I idle bool also the times in which a CPU has no thread to run
#pragma D flag p process process only threads of this process
#pragma D flag P processes bool separately for each process
#pragma D flag L threads bool separately for each thread
#pragma D flag m milliseconds bool in milliseconds instead of microseconds
#pragma D flag T timestamps bool the time of day before each report
#pragma D argument interval period=365d the time between two reports
#pragma D argument count count how many reports
#pragma D example cpudist -O -p 1234 10 1 -- how long process 1234 waits, in ten seconds
#pragma D option quiet

/* Number 0 is the idle thread of each CPU. */
inline int64_t KEY = tid ? tid : -1 - cpu;
inline int WANTED = (tid || $idle) && (!$process || pid == $process);
inline string UNIT = $milliseconds ? "ms" : "us";

uint64_t since[int64_t];

BEGIN { printf("Times of threads are measured... Ctrl-C ends it.\n"); }

sched:::on-cpu /!$off && WANTED/ { since[KEY] = timestamp; }
sched:::off-cpu /$off && WANTED && !curthread->exit_state/ { since[KEY] = timestamp; }

sched:::on-cpu /$off && since[KEY]/ { this->time = timestamp - since[KEY]; }
sched:::off-cpu /!$off && since[KEY]/ { this->time = timestamp - since[KEY]; }

sched:::on-cpu, sched:::off-cpu
/this->time/
{
	since[KEY] = 0;
	this->time /= $milliseconds ? 1000000 : 1000;
	if ($processes || $threads)
		@each[execname, $threads ? tid : pid, UNIT] = quantize(this->time);
	else
		@[UNIT] = quantize(this->time);
}

tick-$interval, END
/!$count || reports++ < $count/
{
	if ($timestamps) printf("%Y\n", walltimestamp);
	printa("  %s%@d\n", @);
	printa("  %S %d, %s%@d\n", @each);
	trunc(@);
	trunc(@each);
}
tick-$interval /$count && reports == $count/ { exit(0); }
