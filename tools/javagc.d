#!/usr/sbin/dtrace -s
/* Collections of garbage in programs of Java: the pool of memory, and how long the collection took.
   Source: the probes mem-pool-gc-begin and mem-pool-gc-end of OpenJDK, in every process that runs or starts later. */
#pragma D summary collections of garbage in Java, and how long they take
#pragma D flag p process process only in this process
#pragma D argument least uint only those of at least this many microseconds
#pragma D example javagc 10000 -- collections that take 10 ms or more
#pragma D option quiet
#pragma D option zdefs
#pragma D option switchrate=10hz

inline int WANTED = $process ? pid == $process : $target ? progenyof($target) : 1;

BEGIN { printf("%-20s %-8s %9s %s\n", "TIME", "PID", "LAT(ms)", "POOL"); }

hotspot*:::mem-pool-gc-begin
/WANTED/
{
	self->begin = timestamp;
}

hotspot*:::mem-pool-gc-end
/self->begin && timestamp - self->begin >= $least * 1000/
{
	printf("%-20Y %-8d %{ms}9.3f %S\n", walltimestamp, pid, timestamp - self->begin, copyinstr(arg2, (int)arg3));
}
hotspot*:::mem-pool-gc-end { self->begin = 0; }
