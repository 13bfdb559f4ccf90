#!/usr/sbin/dtrace -s
/* Memory that a process has asked for and has not given back: how many bytes in how many pieces, by the function that
   asked. The process is that of -p, or the command of -c. An operator new of C++ counts for the function that uses it.
   What the process had before tracing began is not seen.
   Source: malloc(), calloc(), realloc() and free() of the C library. */
#pragma D summary memory that a process does not give back, by the function that asked for it
#pragma D flag z smallest int only pieces of at least this many bytes
#pragma D argument interval time=5s the time between two reports
#pragma D argument count int how many reports
#pragma D example memleak -p 1234 10 1 -- what process 1234 keeps of ten seconds
#pragma D option quiet
#pragma D option zdefs
#pragma D option aggsortrev

struct piece { uint64_t size; uintptr_t caller; };
struct piece pieces[uintptr_t];

BEGIN { printf("Memory is counted until Ctrl-C.\n"); }

pid$target::_Zn[wa]*:entry { self->user = ucaller; }	/* new and new[] */
pid$target::_Zn[wa]*:return { self->user = 0; }

/* One of these functions may call another one: the outermost call counts. */
pid$target:libc:[mc]alloc:entry, pid$target:libc:realloc:entry
/self->depth++ == 0/
{
	self->caller = self->user ? self->user : ucaller;
	self->size = probefunc == "malloc" ? arg0 : probefunc == "calloc" ? arg0 * arg1 : arg1;
	self->old = probefunc == "realloc" ? arg0 : 0;
}
pid$target:libc:free:entry { self->freed = arg0; }
pid$target:libc:realloc:return /self->depth == 1 && arg1/ { self->freed = self->old; }

pid$target:libc:free:entry, pid$target:libc:realloc:return
/self->freed && pieces[self->freed].size/
{
	@bytes[usym(pieces[self->freed].caller)] = sum(-pieces[self->freed].size);
	@count[usym(pieces[self->freed].caller)] = sum(-1);
	pieces[self->freed] = 0;
}
pid$target:libc:free:entry, pid$target:libc:realloc:return { self->freed = 0; }

pid$target:libc:[mc]alloc:return, pid$target:libc:realloc:return
/self->depth && --self->depth == 0 && arg1 && self->size >= $smallest/
{
	pieces[arg1].size = self->size;
	pieces[arg1].caller = self->caller;
	@bytes[usym(self->caller)] = sum(self->size);
	@count[usym(self->caller)] = sum(1);
}

tick-$interval, END
/!$count || reports++ < $count/
{
	printf("\n%Y\n%12s %10s %s\n", walltimestamp, "BYTES", "PIECES", "CALLER");
	printa("%@12d %@10d %A\n", @bytes, @count);
}
tick-$interval /$count && reports == $count/ { exit(0); }
