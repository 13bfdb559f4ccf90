#!/usr/sbin/dtrace -s
/* How long requests to disks take, from the queue of the kernel until they are complete, by the stack of the kernel
   that asked: it says why there is a request. What was merged into another request counts with that one.
   Source: the provider io, and the tracepoints block_bio_queue, block_bio_backmerge and block_bio_frontmerge. */
#pragma D summary how long requests to disks take, by the stack that asked for them
#pragma D flag p process process only those for which this process asks
#pragma D flag d disk disk only those of this disk, such as sda
#pragma D flag T top count only so many stacks, those with the most requests
#pragma D flag m milliseconds bool in milliseconds instead of microseconds
#pragma D argument duration period=365d ends after this time
#pragma D example biostacks -T 5 10s -- the five stacks with the most requests in ten seconds
#pragma D option quiet

BEGIN { printf("Requests to disks are timed... Ctrl-C ends it.\n"); }

/* In the thread that asks. */
sdt:block::block_bio_queue
/!$process || pid == $process/
{
	from[arg0] = timestamp;
	asked[arg0] = stack();
}
sdt:block::block_bio_backmerge, sdt:block::block_bio_frontmerge { from[arg0] = 0; asked[arg0] = 0; }

/* In whichever thread passes it to the driver: the request takes over what its first part has. */
io:::start
{
	this->bio = (uintptr_t)((struct request *)arg0)->bio;
	if (from[this->bio] && ($disk == "" || args[1]->dev_statname == $disk)) {
		from[arg0] = from[this->bio];
		asked[arg0] = asked[this->bio];
	}
	from[this->bio] = 0;
	asked[this->bio] = 0;
}

io:::done
/from[arg0]/
{
	@[asked[arg0]] = quantize((timestamp - from[arg0]) / ($milliseconds ? 1000000 : 1000));
	from[arg0] = 0;
	asked[arg0] = 0;
}

tick-$duration { exit(0); }
END { if ($top) trunc(@, $top); if ($milliseconds) printa("%kms%@d\n", @); else printa("%kus%@d\n", @); }
