#!/usr/sbin/dtrace -s
/* How long requests to disks take, in microseconds, from the driver until they are done, by disk. */
#pragma D option quiet

BEGIN { printf("Requests to disks are timed until Ctrl-C.\n"); }

io:::start { from[arg0] = timestamp; }

io:::done
/from[arg0]/
{
	@[args[1]->dev_statname] = quantize((timestamp - from[arg0]) / 1000);
	from[arg0] = 0;
}

END { printa("  disk %s, us%@d\n", @); }
