#!/usr/sbin/dtrace -s
/* Each request to a disk: the process that passed it to the driver, what it is, and how long it took. With -Q also how
   long it waited in the queue of the kernel. Source: the provider io, and for -Q the tracepoint block_rq_insert. */
#pragma D summary each request to a disk, with its process, size and time
#pragma D flag d disk disk only those of this disk, such as sda
#pragma D flag p process process only those that this process passes to the driver
#pragma D flag Q queued bool also the time in the queue, before the driver gets the request
#pragma D argument duration period=365d ends after this time
#pragma D example biosnoop -d sda -Q -- requests of one disk
#pragma D option quiet
#pragma D option switchrate=10hz

inline string KIND[int op] = op == 0 ? "R" : op == 1 ? "W" : op == 2 ? "F" : op == 3 ? "D" : "-";

BEGIN
{
	begun = timestamp;
	printf("%-12s %-16s %-8s %-8s %-2s %-12s %-8s", "TIME(s)", "COMMAND", "PID", "DISK", "T", "SECTOR", "BYTES");
	if ($queued) printf(" %9s", "QUE(ms)");
	printf(" %9s\n", "LAT(ms)");
}

sdt:block::block_rq_insert /$queued/ { queued[arg0] = timestamp; }
sdt:block::block_rq_merge /$queued/ { queued[arg0] = 0; }	/* it has become part of another */

io:::start
/($disk == "" || args[1]->dev_statname == $disk) && (!$process || pid == $process)/
{
	from[arg0] = timestamp;
	by[arg0] = execname;
	process[arg0] = pid;
	bytes[arg0] = args[0]->b_bcount;
}

io:::done
/from[arg0]/
{
	printf("%{s}12.6f %-16S %-8d %-8s %-2s %-12d %-8d", timestamp - begun, by[arg0], process[arg0],
	    args[1]->dev_statname, KIND[((struct request *)arg0)->cmd_flags & 0xff], args[0]->b_blkno, bytes[arg0]);
	if ($queued) printf(" %{ms}9.3f", queued[arg0] ? from[arg0] - queued[arg0] : 0);
	printf(" %{ms}9.3f\n", timestamp - from[arg0]);
}

io:::done { from[arg0] = 0; by[arg0] = 0; process[arg0] = 0; bytes[arg0] = 0; queued[arg0] = 0; }
tick-$duration { exit(0); }
