#!/usr/sbin/dtrace -s
/* Which functions programs of Java, Python, Ruby and PHP call most. Java reports calls only if it was started with
   -XX:+ExtendedDTraceProbes, and Ruby, of functions that are not written in C, only while the program has a TracePoint.
   A call of Python counts when it returns; -L does not show it, as its beginning is not reported. Names are truncated
   to 64 bytes. Source: probes of OpenJDK (hotspot), Python, Ruby and PHP, in every process that runs or starts
   later. Ruby is a library: a Ruby that starts later is seen only if another one runs when this begins. */
#pragma D summary which functions programs of Java, Python, Ruby and PHP call most
#pragma D flag p process process only in this process
#pragma D flag L latency bool also the time in all, with calls within; the longest first; not of Python
#pragma D flag T top count=10 how many rows
#pragma D argument interval period=365d the time between two reports
#pragma D argument count count how many reports
#pragma D example ucalls -T 20 -p 1234 10 1 -- ten seconds of one process
#pragma D option quiet
#pragma D option zdefs
#pragma D option strsize=64
#pragma D option aggsortrev

inline int WANTED = $process ? pid == $process : $target ? progenyof($target) : 1;
inline string CLASS = copyinstr(arg1, (int)arg2); inline string METHOD = copyinstr(arg3, (int)arg4);
inline string FIRST = copyinstr(arg0); inline string SECOND = copyinstr(arg1);

BEGIN { printf("Calls are counted... Ctrl-C ends it.\n"); if ($latency) setopt("aggsortpos", "1"); }

hotspot*:::method-entry /!$latency && WANTED/ { @["java", CLASS, METHOD] = count(); seen = 1; }
python*:::function-return /!$latency && WANTED/ { @["python", basename(FIRST), SECOND] = count(); seen = 1; }
ruby*:::*method-entry /!$latency && WANTED/ { @["ruby", FIRST, SECOND] = count(); seen = 1; }
ruby*:::*method-entry /WANTED/ { ruby |= probename == "method-entry" ? 2 : 1; }	/* 1: only functions in C */
php*:::function-entry /!$latency && WANTED/ { @["php", basename(SECOND), FIRST] = count(); seen = 1; }

hotspot*:::method-entry, ruby*:::*method-entry, php*:::function-entry
/$latency && WANTED/ { self->depth++; self->began[self->depth] = timestamp; seen = 1; }
hotspot*:::method-return, ruby*:::*method-return, php*:::function-return
/$latency/
{
	self->ns = self->depth ? timestamp - self->began[self->depth] : 0;
	self->began[self->depth] = 0; self->depth -= self->depth ? 1 : 0;
}
hotspot*:::method-return /self->ns/ { @["java", CLASS, METHOD] = count(); @us["java", CLASS, METHOD] = sum(self->ns); }
ruby*:::*method-return /self->ns/ { @["ruby", FIRST, SECOND] = count(); @us["ruby", FIRST, SECOND] = sum(self->ns); }
php*:::function-return
/self->ns/ { @["php", basename(SECOND), FIRST] = count(); @us["php", basename(SECOND), FIRST] = sum(self->ns); }

tick-$interval, END
/!$count || reports++ < $count/
{
	printf("\n%-8s %-40s %-32s %10s", "LANGUAGE", "FILE OR CLASS", "FUNCTION", "CALLS");
	if ($latency) printf(" %12s", "TIME(us)"); printf("\n");
	if ($latency) { normalize(@us, 1000); trunc(@, @us, $top); printa("%-8s %-40S %-32S %@10d %@12d\n", @, @us); }
	else { trunc(@, $top); printa("%-8s %-40S %-32S %@10d\n", @); }
	trunc(@); trunc(@us);
}
tick-$interval /$count && reports == $count/ { exit(0); }

END /ruby == 1/ { printf("\nOf Ruby, these are functions in C: it reports others to a TracePoint. See profile -j\n"); }
END /!seen/
{
	printf("\nNo program has reported a call. Java does with -XX:+ExtendedDTraceProbes; Python, Ruby and PHP if they\n");
	printf("have probes, as Debian's python3 (dtrace -l 'python*:::' shows those that run). profile -j needs none.\n");
}
