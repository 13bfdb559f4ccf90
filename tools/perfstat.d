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
	@clock["ms on CPUs"] = sum(vtimestamp - self->seen);
	self->seen = vtimestamp;
}
sched:::sleep /WANTED/ { @waits["context switches: the thread waits"] = count(); }
sched:::preempt /WANTED/ { @forced["context switches: another thread is to run"] = count(); }
cpc:::cpu_migrations-all-1 /WANTED/ { @moves["times that a thread came to another CPU"] = count(); }
cpc:::page_faults-all-1 /WANTED/ { @faults["page faults"] = count(); }
cpc:::major_faults-all-1 /WANTED/ { @slow["page faults that waited for a disk"] = count(); }
cpc:::cycles-all-1000000 /WANTED/ { @cycles["million cycles"] = count(); }
cpc:::instructions-all-1000000 /WANTED/ { @instructions["million instructions"] = count(); }

END
/$target/
{
	printf("%16s %s\n", "NUMBER", "OF");
	printf("%{ms}16.3f %s\n", timestamp - start, "ms from start to end");
	printa("%@{ms}16.3f %s\n", @clock);
	printa("%@16u %s\n", @waits);
	printa("%@16u %s\n", @forced);
	printa("%@16u %s\n", @moves);
	printa("%@16u %s\n", @faults);
	printa("%@16u %s\n", @slow);
	printa("%@16u %s\n", @cycles);
	printa("%@16u %s\n", @instructions);
}
