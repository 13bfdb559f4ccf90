#!/usr/sbin/dtrace -s
/* How many system calls there are, by call or by process, and with -L how long they take in all. A call is counted when
   it returns, so exit() and exec() of a process are not. Source: the provider syscall. */
#pragma D summary how many system calls there are, and how long they take
#pragma D flag p process process only those of this process
#pragma D flag t thread process only those of this thread
#pragma D flag x failed bool only those that failed
#pragma D flag e error error only those that failed with this error, such as ENOENT
#pragma D flag P processes bool by process instead of by call
#pragma D flag L latency bool also the time in all, in microseconds; the longest first
#pragma D flag m milliseconds bool with -L, in milliseconds
#pragma D flag T top count=10 how many rows; with -L all are shown
#pragma D flag i interval period=365d the time between two reports
#pragma D flag d duration period=365d ends after this time
#pragma D example syscount -P -d 10 -- which processes call the kernel most, in ten seconds
#pragma D example syscount -x -p 1234 -- which calls of process 1234 fail
#pragma D option quiet
#pragma D option aggsortrev

inline int WANTED = (!$process || pid == $process) && (!$thread || tid == $thread);
inline string NAME = $processes ? execname : probefunc;
inline string NUMBER = $processes ? lltostr(pid) : "";

BEGIN { printf("System calls are counted... Ctrl-C ends it.\n"); }

syscall:::entry /$latency && WANTED/ { self->start = timestamp; }

syscall:::return
/WANTED && (!$failed || errno) && (!$error || errno == $error)/
{
	@calls[NAME, NUMBER] = count();
}

syscall:::return
/self->start && (!$failed || errno) && (!$error || errno == $error)/
{
	@us[NAME, NUMBER] = sum(timestamp - self->start);
}

syscall:::return /$latency/ { self->start = 0; }

tick-$interval, END
{
	if ($latency) {
		normalize(@us, $milliseconds ? 1000000 : 1000);
		printf("%-22s %-8s %12s %10s\n", $processes ? "COMMAND" : "CALL", $processes ? "PID" : "",
		    $milliseconds ? "MS" : "US", "COUNT");
		printa("%-22S %-8s %@12d %@10d\n", @us, @calls);
	} else {
		printf("%-22s %-8s %10s\n", $processes ? "COMMAND" : "CALL", $processes ? "PID" : "", "COUNT");
		trunc(@calls, $top);
		printa("%-22S %-8s %@10d\n", @calls);
	}
	trunc(@calls);
	trunc(@us);
}

tick-$duration { exit(0); }
