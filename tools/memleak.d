#!/usr/sbin/dtrace -s
/* Memory that a process has asked for and has not given back: how many bytes in how many allocations, by the stack that
   asked. The process is that of -p, or the command of -c. What it had before tracing began is not seen.
   Source: malloc(), calloc(), realloc(), posix_memalign() and free() of the C library, and new of C++, which uses these
   or, for large alignments, is counted itself. memalign(), aligned_alloc() and valloc() of C are not counted: they end
   with a jump to a function without a name, and so their results are not seen. */
#pragma D summary memory that a process does not give back, by the stack that asked for it
#pragma D flag f frames count=10 how many frames of the stack
#pragma D flag z smallest uint only allocations of at least this many bytes
#pragma D flag Z largest uint only allocations of at most this many bytes
#pragma D flag T top count in the last report only so many stacks, those that keep the most bytes
#pragma D argument interval period=5s the time between two reports
#pragma D argument count count how many reports
#pragma D example memleak -p 1234 10 1 -- what process 1234 keeps of ten seconds
#pragma D option quiet
#pragma D option zdefs
#pragma D option aggnonzero

uint64_t size[uintptr_t];
BEGIN { printf("Memory is counted... Ctrl-C ends it.\n"); }
/* The first assignment of an array says what it holds. */
pid$target:libc:free:entry /0/ { asked[0] = ustack($frames); }
/* The outermost call counts. realloc() of nothing, or to nothing, ends as malloc() or free(), which count then. */
pid$target:libc:[mcr]*alloc:entry, pid$target:libc:posix_memalign:entry, pid$target:libstdc*:_ZnwmSt11align_val_t*:entry
/(probefunc != "realloc" || (arg0 && arg1)) && self->depth++ == 0/
{
	self->stack = ustack($frames); self->old = probefunc == "realloc" ? arg0 : 0;
	self->size = probefunc == "calloc" ? arg0 * arg1 : probefunc == "realloc" ? arg1 : arg0;
}
pid$target:libc:posix_memalign:entry /self->depth == 1/ { self->size = arg2; self->where = arg0; }
pid$target:libc:free:entry { self->freed = arg0; }
pid$target:libc:realloc:return /self->depth == 1 && self->old && arg1/ { self->freed = self->old; }
pid$target:libc:free:entry, pid$target:libc:realloc:return
/self->freed && size[self->freed]/
{
	@bytes[asked[self->freed]] = sum(-size[self->freed]);
	@count[asked[self->freed]] = sum(-1);
	size[self->freed] = 0; asked[self->freed] = 0;
}
pid$target:libc:free:entry, pid$target:libc:realloc:return { self->freed = 0; }
pid$target:libc:[mcr]*alloc:return, pid$target:libstdc*:_ZnwmSt11align_val_t*:return { self->got = arg1; }
pid$target:libc:posix_memalign:return /self->depth == 1/
{
	self->got = arg1 ? 0 : *(uintptr_t *)copyin(self->where, 8);
}
pid$target:libc:[mcr]*alloc:return, pid$target:libc:posix_memalign:return, pid$target:libstdc*:_ZnwmSt11align*:return
/self->depth && --self->depth == 0 && self->got && self->size >= $smallest && (!$largest || self->size <= $largest)/
{
	size[self->got] = self->size; asked[self->got] = self->stack;
	@bytes[self->stack] = sum(self->size);
	@count[self->stack] = sum(1);
}
tick-$interval, END
/!$count || reports++ < $count/
{
	printf("\n%Y\n", walltimestamp);
	if ($top && (probename == "END" || ($count && reports == $count))) trunc(@bytes, @count, $top);
	printa("%k%@u bytes, allocations: %@u\n", @bytes, @count);
}
tick-$interval /$count && reports == $count/ { exit(0); }
