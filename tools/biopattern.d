#!/usr/sbin/dtrace -s
/* Whether disks are used in sequence or at random: a request is sequential if it begins where the previous one on this
   disk ended. Source: the provider io. */
#pragma D summary whether disks are used in sequence or at random
#pragma D flag d disk disk only this disk, such as sda
#pragma D flag T timestamps bool the time of day before each report
#pragma D argument interval period=365d the time between two reports
#pragma D argument count count how many reports
#pragma D example biopattern -T 1 -- each second, with the time of day
#pragma D option quiet

uint64_t next[string];

BEGIN { printf("%-12s %10s %10s %12s\n", "DISK", "RANDOM", "SEQUENTIAL", "KIB"); }

/* Requests for data: a flush has none. */
io:::start
/args[0]->b_bcount && ($disk == "" || args[1]->dev_statname == $disk)/
{
	this->sector = ((struct request *)arg0)->__sector;
	this->follows = next[args[1]->dev_statname] == this->sector;
	next[args[1]->dev_statname] = this->sector + args[0]->b_bcount / 512;
	@random[args[1]->dev_statname] = sum(!this->follows);
	@sequential[args[1]->dev_statname] = sum(this->follows);
	@bytes[args[1]->dev_statname] = sum(args[0]->b_bcount);
}

tick-$interval, END
/!$count || reports++ < $count/
{
	normalize(@bytes, 1024);
	if ($timestamps) printf("%Y\n", walltimestamp);
	printa("%-12s %@10d %@10d %@12d\n", @random, @sequential, @bytes);
	trunc(@random);
	trunc(@sequential);
	trunc(@bytes);
}
tick-$interval /$count && reports == $count/ { exit(0); }
