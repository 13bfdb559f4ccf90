#!/usr/sbin/dtrace -s
/* Memory that a process has asked for and has not given back: how many bytes in how many allocations, by the stack that
   asked. The process is that of -p, or the command of -c. What it had before tracing began is not seen.
   Source: malloc(), calloc(), realloc() and free() of the C library; new of C++ uses these. */
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

/* One of these functions may call another one: the outermost call counts. */
pid$target:libc:[mc]alloc:entry, pid$target:libc:realloc:entry
/self->depth++ == 0/
{
	self->stack = ustack($frames);
	self->size = probefunc == "malloc" ? arg0 : probefunc == "calloc" ? arg0 * arg1 : arg1;
	self->old = probefunc == "realloc" ? arg0 : 0;
}
pid$target:libc:free:entry { self->freed = arg0; }
pid$target:libc:realloc:return /self->depth == 1 && arg1/ { self->freed = self->old; }

pid$target:libc:free:entry, pid$target:libc:realloc:return
/self->freed && size[self->freed]/
{
	@bytes[asked[self->freed]] = sum(-size[self->freed]);
	@count[asked[self->freed]] = sum(-1);
	size[self->freed] = 0;
	asked[self->freed] = 0;
}
pid$target:libc:free:entry, pid$target:libc:realloc:return { self->freed = 0; }

pid$target:libc:[mc]alloc:return, pid$target:libc:realloc:return
/self->depth && --self->depth == 0 && arg1 && self->size >= $smallest && (!$largest || self->size <= $largest)/
{
	size[arg1] = self->size;
	asked[arg1] = self->stack;
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
