#!/usr/sbin/dtrace -qs
/*
 * Exercise 4, part 2: how often the kernel takes memory from each of its caches, and gives it back, each second. With -c
 * or -p, for that process and its children alone.
 */

sdt:kmem::kmem_cache_alloc
/$target == 0 || progenyof($target)/
{
	@taken[stringof(args[2]->name)] = count();
}

sdt:kmem::kmem_cache_free
/$target == 0 || progenyof($target)/
{
	@freed[stringof(args[2]->name)] = count();
}

tick-1s, END
{
	printf("%Y\n%-32s %8s %8s\n", walltimestamp, "CACHE", "TAKEN", "FREED");
	trunc(@taken, 10);
	printa("%-32s %@8d %@8d\n", @taken, @freed);
	trunc(@taken);
	trunc(@freed);
}
