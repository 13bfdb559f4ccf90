#!/usr/sbin/dtrace -s
/* Which programs use the disks most, in each interval: how many requests, how many KiB, and how long a request takes on
   average. A request belongs to the program that passes it to the driver. Source: the provider io. */
#pragma D summary which programs use the disks most
#pragma D flag d disk disk only those of this disk, such as sda
#pragma D flag p process process only those that this process passes to the driver
#pragma D flag r rows count in each report only so many programs, those with the most KiB
#pragma D flag C keep bool do not clear the terminal before a report
#pragma D argument interval period=1s the time between two reports
#pragma D argument count count how many reports
#pragma D example biotop 5 -- a report each five seconds
#pragma D option quiet
#pragma D option refresh
#pragma D option aggsortrev

inline string KIND[int op] = op == 0 ? "R" : op == 1 ? "W" : op == 2 ? "F" : op == 3 ? "D" : "-";

BEGIN { printf("Requests to disks are counted... Ctrl-C ends it.\n"); if ($keep) setopt("refresh", "no"); }

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
	this->kind = KIND[((struct request *)arg0)->cmd_flags & 0xff];
	@kib[process[arg0], by[arg0], this->kind, args[1]->dev_statname] = sum(bytes[arg0]);
	@requests[process[arg0], by[arg0], this->kind, args[1]->dev_statname] = count();
	@us[process[arg0], by[arg0], this->kind, args[1]->dev_statname] = avg(timestamp - from[arg0]);
}

io:::done { from[arg0] = 0; by[arg0] = 0; process[arg0] = 0; bytes[arg0] = 0; }

tick-$interval, END
/!$count || reports++ < $count/
{
	printf("\n%Y  load %{load1}.2f %{load5}.2f %{load15}.2f  available %{memavailable,MiB}d MiB\n", walltimestamp);
	printf("%-8s %-16s %-2s %-8s %10s %8s %10s\n", "PID", "COMMAND", "T", "DISK", "KIB", "REQUESTS",
	    "AVG(us)");
	normalize(@kib, 1024);
	normalize(@us, 1000);
	if ($rows) trunc(@kib, @requests, @us, $rows);
	printa("%-8d %-16S %-2s %-8s %@10d %@8d %@10d\n", @kib, @requests, @us);
	trunc(@kib);
	trunc(@requests);
	trunc(@us);
}
tick-$interval /$count && reports == $count/ { exit(0); }
