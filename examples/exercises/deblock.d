#!/usr/sbin/dtrace -qs
/*
 * Exercise 5, part 1: what a program writes, and what the disk is asked to write and to read for it, each second. The
 * disk's requests are made by the program where the write is synchronous.
 *
 *     deblock.d PROGRAM
 */

syscall::pwrite64:return, syscall::write:return
/execname == $$1 && (int)arg0 > 0/
{
	@calls["written by system calls", "-"] = count();
	@bytes["written by system calls", "-"] = sum(arg0);
}

io:::start
/execname == $$1/
{
	this->what = args[0]->b_flags & B_READ ? "read from the disk" : "written to the disk";
	@calls[this->what, args[1]->dev_statname] = count();
	@bytes[this->what, args[1]->dev_statname] = sum(args[0]->b_bcount);
}

tick-1s, END
{
	printf("%Y\n%-24s %-8s %8s %10s\n", walltimestamp, "LAYER", "DEVICE", "REQUESTS", "BYTES");
	printa("%-24s %-8s %@8d %@10d\n", @calls, @bytes);
	trunc(@calls);
	trunc(@bytes);
}
