#!/usr/sbin/dtrace -s
/* Which functions programs of Java, Python, Ruby and PHP call most. Java reports calls only if it was started with
   -XX:+ExtendedDTraceProbes, and Ruby, of functions that are not written in C, only while the program has a TracePoint.
   A call of Python counts when it returns. Names are truncated to 64 bytes.
   Source: probes of OpenJDK (hotspot), Python, Ruby and PHP, in every process that runs or starts later.
   Ruby is a library: a Ruby that starts later is seen only if another one runs when this begins. */
#pragma D summary which functions programs of Java, Python, Ruby and PHP call most
#pragma D flag p process process only in this process
#pragma D flag T top count=10 how many rows
#pragma D argument interval period=365d the time between two reports
#pragma D argument count count how many reports
#pragma D example ucalls -T 20 -p 1234 10 1 -- ten seconds of one process
#pragma D option quiet
#pragma D option zdefs
#pragma D option strsize=64
#pragma D option aggsortrev

inline int WANTED = $process ? pid == $process : $target ? progenyof($target) : 1;

BEGIN { printf("Calls are counted... Ctrl-C ends it.\n"); }

hotspot*:::method-entry
/WANTED/
{
	seen = 1;
	@["java", copyinstr(arg1, (int)arg2 + 1), copyinstr(arg3, (int)arg4 + 1)] = count();
}
python*:::function-return
/WANTED/
{
	seen = 1;
	@["python", basename(copyinstr(arg0)), copyinstr(arg1)] = count();
}
ruby*:::method-entry, ruby*:::cmethod-entry
/WANTED/
{
	seen = 1;
	@["ruby", copyinstr(arg0), copyinstr(arg1)] = count();
}
php*:::function-entry /WANTED/ { seen = 1; @["php", basename(copyinstr(arg1)), copyinstr(arg0)] = count(); }

tick-$interval, END
/!$count || reports++ < $count/
{
	printf("\n%-8s %-40s %-32s %10s\n", "LANGUAGE", "FILE OR CLASS", "FUNCTION", "CALLS");
	trunc(@, $top);
	printa("%-8s %-40S %-32S %@10d\n", @);
	trunc(@);
}
tick-$interval /$count && reports == $count/ { exit(0); }

/* An empty table does not say why it is empty. */
END
/!seen/
{
	printf("\nNo program has reported a call. Java does with -XX:+ExtendedDTraceProbes; Python, Ruby and PHP if they\n");
	printf("were built with probes, as Debian's /usr/bin/python3 (dtrace -l 'python*:::' shows those that run).\n");
	printf("profile -j needs no probes.\n");
}
