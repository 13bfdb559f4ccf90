#!/usr/sbin/dtrace -s
/* What a function of a program calls: the calls in their order, indented, and the time that each took when it returns.
   The program is the command of -c, or the process of -p. Only functions of one module are shown, such as libc, or
   a.out for the program itself. Source: the provider pid. */
#pragma D summary what a function of a program calls, as a tree with times
#pragma D flag m most count=32 calls that are nested deeper are not shown
#pragma D argument function string=main the function
#pragma D argument module string=a.out whose functions are shown
#pragma D example funcgraph main -c ./program -- functions of a program, from its beginning to its end
#pragma D example funcgraph '*shop??total*' -c ./program -- shop::total() of a program in C++: ? stands for a colon
#pragma D example funcgraph malloc libc -p 1234 -- what malloc() calls, in process 1234
#pragma D option quiet
#pragma D option demangle
#pragma D option switchrate=10hz

self uint64_t start[int];
inline string ENDS = index(probefunc, "(") < 0 ? "()" : "";	/* names of C++ have their parameters */

BEGIN { printf("%-8s %12s  %s\n", "TID", "US", "FUNCTION"); }

pid$target:$module:$function:entry { self->inside++; }

pid$target:$module::entry
/self->inside/
{
	self->start[++self->depth] = timestamp;
	if (self->depth <= $most)
		printf("%-8d %12s  %*s%S%s\n", tid, "", self->depth * 2 - 2, "", probefunc, ENDS);
}

pid$target:$module::return
/self->depth/
{
	this->ns = timestamp - self->start[self->depth];
	if (self->depth <= $most)
		printf("%-8d %8d.%03d  %*s%S%s returns\n", tid, this->ns / 1000, this->ns % 1000, self->depth * 2 - 2, "",
		    probefunc, ENDS);
	self->start[self->depth--] = 0;
}

pid$target:$module:$function:return /self->inside/ { self->inside--; }
