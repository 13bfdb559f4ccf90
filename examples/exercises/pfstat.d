#!/usr/sbin/dtrace -qs
/*
 * Exercise 4, part 1: page faults of user programs each second, by process and by the file that is mapped where the
 * fault is; an address in the place of a file is memory that has none. With -c or -p, of that process and its children alone.
 */

sdt:exceptions::page_fault_user
/$target == 0 || progenyof($target)/
{
	@[execname, pid, umod(arg0)] = count();
}

tick-1s, END
{
	printf("%Y\n", walltimestamp);
	trunc(@, 15);
	printa("%-16s %7d %-40A %@8d\n", @);
	trunc(@);
}
