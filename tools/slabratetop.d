#!/usr/sbin/dtrace -s
/* Which caches of kernel objects programs and the kernel take most memory from, in each interval. What is given back is
   not subtracted: this shows who allocates, not who keeps. Source: the tracepoint kmem_cache_alloc. */
#pragma D summary which caches of kernel objects are used most
#pragma D flag p process process only what this process causes
#pragma D flag r rows count=20 how many rows
#pragma D flag C keep bool do not clear the terminal before a report
#pragma D argument interval period=1s the time between two reports
#pragma D argument count count how many reports
#pragma D example slabratetop 5 1 -- five seconds
#pragma D option quiet
#pragma D option refresh
#pragma D option aggsortrev

BEGIN { printf("Allocations are counted... Ctrl-C ends it.\n"); if ($keep) setopt("refresh", "no"); }

sdt:kmem::kmem_cache_alloc
/!$process || pid == $process/
{
	@[stringof(args[2]->name), args[2]->size] = sum(args[2]->size);
}

tick-$interval, END
/!$count || reports++ < $count/
{
	printf("\n%Y\n", walltimestamp);
	printf("%-32s %12s %12s\n", "CACHE", "OBJECT SIZE", "BYTES");
	trunc(@, $rows);
	printa("%-32S %12d %@12d\n", @);
	trunc(@);
}
tick-$interval /$count && reports == $count/ { exit(0); }
