#!/usr/sbin/dtrace -s
/* What the system calls of a command cost (-c), or of a process (-p): for each call the time in all and on average, how
   many there were, and how many failed; the longest first. Times include waiting; with -C, they are those on a CPU.
   A call is counted when it returns. Source: the provider syscall. */
#pragma D summary what the system calls of a command cost: times, calls and errors
#pragma D flag C cpu bool only the time on a CPU
#pragma D flag f follow bool also those of processes that it starts
#pragma D flag P programs bool separately for each program
#pragma D example syscost -f -c 'sh -c "ls | wc"' -- a command with all that it starts
#pragma D example syscost -f -P -c ./job.sh -- what a script waits for: its commands, and the calls in which they wait
#pragma D example syscost -p 1234 -- a process, until Ctrl-C
#pragma D option quiet
#pragma D option aggsortrev

inline int WANTED = $follow ? progenyof($target) : pid == $target;

BEGIN /!$target/ { printf("What is to be measured? -c COMMAND runs a command, -p PID measures a process.\n"); exit(2); }

syscall:::entry
/WANTED/
{
	self->at = timestamp;
	self->cpu = vtimestamp;
}

syscall:::return
/self->at/
{
	this->ns = $cpu ? vtimestamp - self->cpu : timestamp - self->at;
	if ($programs) {
		@all_by[execname, probefunc] = sum(this->ns);
		@average_by[execname, probefunc] = avg(this->ns);
		@calls_by[execname, probefunc] = count();
		@errors_by[execname, probefunc] = sum(errno ? 1 : 0);
	} else {
		@all[probefunc] = sum(this->ns);
		@average[probefunc] = avg(this->ns);
		@calls[probefunc] = count();
		@errors[probefunc] = sum(errno ? 1 : 0);
	}
	self->at = 0;
}

END
/$target && $programs/
{
	normalize(@all_by, 1000);
	printf("%12s %14s %10s %10s %-16s %s\n", "US", "AVERAGE(ns)", "CALLS", "ERRORS", "COMMAND", "CALL");
	printa("%@12d %@14d %@10d %@10d %-16S %s\n", @all_by, @average_by, @calls_by, @errors_by);
}
END
/$target && !$programs/
{
	normalize(@all, 1000);
	printf("%12s %14s %10s %10s %s\n", "US", "AVERAGE(ns)", "CALLS", "ERRORS", "CALL");
	printa("%@12d %@14d %@10d %@10d %s\n", @all, @average, @calls, @errors);
}
