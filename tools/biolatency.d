#!/usr/sbin/dtrace -s
/* How long requests to disks take, from the driver until they are complete; with -Q, from the queue of the kernel.
   Source: the provider io, and for -Q the tracepoints block_rq_insert and block_rq_merge. */
#pragma D summary how long requests to disks take
#pragma D flag d disk disk only those of this disk, such as sda
#pragma D flag D disks bool separately for each disk
#pragma D flag F flags bool separately for reads, writes, flushes and others
#pragma D flag Q queued bool also the time that requests wait before they are passed to the driver
#pragma D flag m milliseconds bool in milliseconds instead of microseconds
#pragma D flag j json bool as JSON, for other programs
#pragma D flag T timestamps bool the time of day before each report
#pragma D argument interval period=365d the time between two reports
#pragma D argument count count how many reports
#pragma D example biolatency -D 1 10 -- ten reports, one each second, by disk
#pragma D option quiet

inline string OPERATION[int op] = op == 0 ? "reads" : op == 1 ? "writes" : op == 2 ? "flushes" : op == 3 ? "discards" :
    "others";
inline string UNIT = $milliseconds ? "ms" : "us";

BEGIN { printf("Requests to disks are timed... Ctrl-C ends it.\n"); }

sdt:block::block_rq_insert /$queued/ { from[arg0] = timestamp; }
sdt:block::block_rq_merge /$queued/ { from[arg0] = 0; }	/* it has become part of another */
io:::start /!$queued || !from[arg0]/ { from[arg0] = timestamp; }

io:::done /from[arg0] && ($disk == "" || args[1]->dev_statname == $disk)/
{
	@[$disks ? args[1]->dev_statname : "all disks", $flags ? OPERATION[((struct request *)arg0)->cmd_flags & 0xff] :
	    "all requests", UNIT] = quantize((timestamp - from[arg0]) / ($milliseconds ? 1000000 : 1000));
}
io:::done { from[arg0] = 0; }

tick-$interval, END
/!$count || reports++ < $count/
{
	if ($timestamps) printf("%Y\n", walltimestamp);
	printa("  %s, %s, %s%@d\n", @);
	trunc(@);
}
tick-$interval /$count && reports == $count/ { exit(0); }
