#!/usr/sbin/dtrace -s
/* How long threads wait for locks of the kernel, by the function that wants the lock: on average, at most and in all,
   in microseconds. A lock that is free when it is taken is not counted. Source: the provider lockstat. */
#pragma D summary how long threads wait for locks of the kernel
#pragma D flag p process process only in this process
#pragma D flag t thread process only in this thread
#pragma D flag d duration period=365d ends after this time
#pragma D flag i interval period=365d the time between two reports
#pragma D flag S stacks bool by stack instead of by function
#pragma D example klockstat -p 1234 -d 10 -- locks that one process waits for, in ten seconds
#pragma D example klockstat -S -d 1 -- with the stacks of those who wait
#pragma D option quiet
#pragma D option aggsortrev

inline int WANTED = (!$process || pid == $process) && (!$thread || tid == $thread);

BEGIN { printf("Waits for locks are added up... Ctrl-C ends it.\n"); }

lockstat:::adaptive-*, lockstat:::rw-*, lockstat:::spin-spin
/WANTED && !$stacks/
{
	@total[caller] = sum(arg1);
	@count[caller] = count();
	@average[caller] = avg(arg1);
	@most[caller] = max(arg1);
}

lockstat:::adaptive-*, lockstat:::rw-*, lockstat:::spin-spin
/WANTED && $stacks/
{
	@by_stack[stack()] = sum(arg1);
}

tick-$interval, END
{
	normalize(@total, 1000);
	normalize(@average, 1000);
	normalize(@most, 1000);
	normalize(@by_stack, 1000);
	if (!$stacks) {
		printf("\n%12s %10s %12s %12s %s\n", "TOTAL(us)", "WAITS", "AVERAGE(us)", "MOST(us)", "CALLER");
		printa("%@12d %@10d %@12d %@12d %a\n", @total, @count, @average, @most);
	}
	printa("%k%@u us\n\n", @by_stack);
	trunc(@total);
	trunc(@count);
	trunc(@average);
	trunc(@most);
	trunc(@by_stack);
}
tick-$duration { exit(0); }
