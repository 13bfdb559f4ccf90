#!/usr/sbin/dtrace -s
/* The sizes of requests to disks, in KiB, by the program that passes them to the driver: for data that is written
   later, this is a thread of the kernel. Source: the provider io. */
#pragma D summary the sizes of requests to disks, by program
#pragma D flag d disk disk only those of this disk, such as sda
#pragma D flag c name string only those of programs of this name
#pragma D flag T timestamps bool the time of day before each report
#pragma D argument interval period=365d the time between two reports
#pragma D argument count count how many reports
#pragma D example bitesize -d sda 1 10 -- ten reports about one disk, one each second
#pragma D option quiet

BEGIN
{
	if ($name == "") printf("Sizes of requests are counted... Ctrl-C ends it.\n");
	else printf("Sizes of requests of programs called %S are counted... Ctrl-C ends it.\n", $name);
}

io:::start
/($disk == "" || args[1]->dev_statname == $disk) && ($name == "" || execname == $name)/
{
	@[execname] = quantize(args[0]->b_bcount / 1024);
	seen = 1;
}

tick-$interval, END
/!$count || reports++ < $count/
{
	if ($timestamps) printf("%Y\n", walltimestamp);
	printa("  %S, KiB%@d\n", @);
	trunc(@);
}
tick-$interval /$count && reports == $count/ { exit(0); }

END
/!seen && $name != ""/
{
	printf("No program called %S has passed a request: without -c, the names of those that do are shown.\n", $name);
}
