#!/usr/sbin/dtrace -s
/* How long the CPUs run software interrupts of each kind; with -C how many there are, with -d how long each takes.
   Source: the tracepoints softirq_entry and softirq_exit. */
#pragma D summary how long CPUs run software interrupts
#pragma D flag C count_only bool how many there are
#pragma D flag d distributions bool how long each takes, as histograms
#pragma D flag N nanoseconds bool in nanoseconds instead of microseconds
#pragma D flag T timestamps bool the time of day before each report
#pragma D argument interval period=365d the time between two reports
#pragma D argument count count how many reports
#pragma D example softirqs 1 10 -- ten reports, one each second
#pragma D option quiet

inline string NAME[unsigned v] = v == 0 ? "hi" : v == 1 ? "timer" : v == 2 ? "net_tx" : v == 3 ? "net_rx" :
    v == 4 ? "block" : v == 5 ? "irq_poll" : v == 6 ? "tasklet" : v == 7 ? "sched" : v == 8 ? "hrtimer" : "rcu";

inline string UNIT = $nanoseconds ? "ns" : "us";

uint64_t from[int];

BEGIN { printf("Software interrupts are measured... Ctrl-C ends it.\n"); }

sdt:irq::softirq_entry /$count_only/ { @number[NAME[args[0]]] = count(); }

/* They do not interrupt each other. */
sdt:irq::softirq_entry /!$count_only/ { from[cpu] = timestamp; }

sdt:irq::softirq_exit
/from[cpu]/
{
	this->ns = timestamp - from[cpu];
	from[cpu] = 0;
	if ($distributions)
		@each[NAME[args[0]], UNIT] = quantize(this->ns / ($nanoseconds ? 1 : 1000));
	else
		@us[NAME[args[0]]] = sum(this->ns);
}

tick-$interval, END
/!$count || reports++ < $count/
{
	if ($timestamps) printf("%Y\n", walltimestamp);
	if (!$distributions || $count_only)
		printf("%-12s %12s\n", "INTERRUPT", $count_only ? "TIMES" : $nanoseconds ? "NS" : "US");
	if (!$nanoseconds) normalize(@us, 1000);
	printa("  %s, %s%@d\n", @each);
	printa("%-12s %@12u\n", @number);
	printa("%-12s %@12u\n", @us);
	trunc(@each);
	trunc(@number);
	trunc(@us);
}
tick-$interval /$count && reports == $count/ { exit(0); }
