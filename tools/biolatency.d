#!/usr/sbin/dtrace -s
/* How long requests to disks take, in microseconds, from the driver until they are done: of all disks, or with the
   argument 1 by disk. */
#pragma D option quiet
#pragma D option defaultargs

BEGIN { printf("Requests to disks are timed until Ctrl-C.\n"); }
io:::start { from[arg0] = timestamp; }
io:::done /from[arg0]/
{
	this->us = (timestamp - from[arg0]) / 1000;
	if ($1)
		@[args[1]->dev_statname] = quantize(this->us);
	else
		@all = quantize(this->us);
	from[arg0] = 0;
}
END { printa("  us%@d\n", @all); printa("  disk %s, us%@d\n", @); }
