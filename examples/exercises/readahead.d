#!/usr/sbin/dtrace -qs
/*
 * Exercise 5, part 2: which layer reads ahead: reads of a program, memory that is added to the page cache, and reads of the
 * disk, each second.
 *
 *     readahead.d PROGRAM
 */

syscall::read:return, syscall::pread64:return
/execname == $$1 && (int)arg0 > 0/
{
	@calls["1 read by system calls"] = count();
	@bytes["1 read by system calls"] = sum(arg0);
}

sdt:filemap::mm_filemap_add_to_page_cache
/execname == $$1/
{
	/* A folio is one page, or several: its bytes are not counted. */
	@calls["2 folios added to the cache"] = count();
}

io:::start
/execname == $$1 && args[0]->b_flags & B_READ/
{
	@calls["3 read from the disk"] = count();
	@bytes["3 read from the disk"] = sum(args[0]->b_bcount);
}

tick-1s, END
{
	printf("%Y\n%-28s %8s %10s\n", walltimestamp, "LAYER", "REQUESTS", "BYTES");
	setopt("aggsortkey");
	printa("%-28s %@8d %@10d\n", @calls, @bytes);
	trunc(@calls);
	trunc(@bytes);
}
