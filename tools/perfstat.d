#!/usr/sbin/dtrace -s
/* What a command costs (-c), as perf stat shows it: its time on CPUs, how often its threads left a CPU or came to
   another one, its page faults, and, where the machine has counters, cycles and instructions, in millions.
   Source: the providers proc, sched and cpc, and the tracepoint sched_migrate_task. */
#pragma D summary what a command costs: time on CPUs, context switches, page faults, cycles
#pragma D flag f follow bool also what the processes that it starts cost
#pragma D example perfstat -f -c 'sh -c "ls | wc"' -- a command with all that it starts
#pragma D option quiet
#pragma D option zdefs

self uint64_t seen;
inline int WANTED = $follow ? progenyof($target) : pid == $target;

BEGIN { start = timestamp; }
BEGIN /!$target/ { printf("What is to be measured? -c COMMAND runs a command, -p PID measures a process.\n"); exit(2); }

/* vtimestamp is the time that the thread has been on CPUs. */
sched:::off-cpu, proc:::lwp-exit
/WANTED/
{
	@clock = sum(vtimestamp - self->seen);
	self->seen = vtimestamp;
}
sched:::sleep /WANTED/ { @waits = count(); }
sched:::preempt /WANTED/ { @forced = count(); }
cpc:::cpu_migrations-all-1 /WANTED/ { @moves = count(); }
cpc:::page_faults-all-1 /WANTED/ { @faults = count(); }
cpc:::major_faults-all-1 /WANTED/ { @slow = count(); }
cpc:::cycles-all-1000000 /WANTED/ { @cycles = count(); }
cpc:::instructions-all-1000000 /WANTED/ { @instructions = count(); }

END
/$target/
{
	printf("%16s %s\n%{ms}16.3f ms from start to end\n", "NUMBER", "OF", timestamp - start);
	printa("%@{ms}16.3f ms on CPUs\n", @clock);
	printa("%@16u context switches: the thread waits\n", @waits);
	printa("%@16u context switches: another thread is to run\n", @forced);
	printa("%@16u times that a thread came to another CPU\n", @moves);
	printa("%@16u page faults\n", @faults);
	printa("%@16u page faults that waited for a disk\n", @slow);
	printa("%@16u million cycles\n", @cycles);
	printa("%@16u million instructions\n", @instructions);
}
