#!/usr/sbin/dtrace -s
/* How long the CPUs run the handler of each interrupt; with -C how many there are, with -d how long each takes.
   Source: the tracepoints irq_handler_entry and irq_handler_exit. */
#pragma D summary how long CPUs run the handlers of interrupts
#pragma D flag C count_only bool how many there are
#pragma D flag d distributions bool how long each takes, as histograms
#pragma D flag N nanoseconds bool in nanoseconds instead of microseconds
#pragma D flag T timestamps bool the time of day before each report
#pragma D argument interval period=365d the time between two reports
#pragma D argument count count how many reports
#pragma D example hardirqs 1 10 -- ten reports, one each second
#pragma D option quiet

inline string UNIT = $nanoseconds ? "ns" : "us";

uint64_t from[int];

BEGIN { printf("Interrupts are measured... Ctrl-C ends it.\n"); }

sdt:irq::irq_handler_entry /$count_only/ { @number[stringof(args[1]->name)] = count(); }

/* Handlers do not interrupt each other. */
sdt:irq::irq_handler_entry /!$count_only/ { from[cpu] = timestamp; name[cpu] = stringof(args[1]->name); }

sdt:irq::irq_handler_exit
/from[cpu]/
{
	this->ns = timestamp - from[cpu];
	from[cpu] = 0;
	if ($distributions)
		@each[name[cpu], UNIT] = quantize(this->ns / ($nanoseconds ? 1 : 1000));
	else
		@us[name[cpu]] = sum(this->ns);
}

tick-$interval, END
/!$count || reports++ < $count/
{
	if ($timestamps) printf("%Y\n", walltimestamp);
	if (!$distributions || $count_only)
		printf("%-24s %12s\n", "HANDLER", $count_only ? "TIMES" : $nanoseconds ? "NS" : "US");
	if (!$nanoseconds) normalize(@us, 1000);
	printa("  %S, %s%@d\n", @each);
	printa("%-24S %@12u\n", @number);
	printa("%-24S %@12u\n", @us);
	trunc(@each);
	trunc(@number);
	trunc(@us);
}
tick-$interval /$count && reports == $count/ { exit(0); }
