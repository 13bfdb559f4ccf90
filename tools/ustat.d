#!/usr/sbin/dtrace -s
/* What the virtual machines of programs do, in each interval: calls of functions, collections of garbage, new objects,
   classes or modules that are loaded, exceptions, and threads that start. What one does
   not report is 0: ucalls says which calls each reports, and Java reports objects on the same condition.
   Source: probes of OpenJDK (hotspot), Python, Ruby and PHP, in every process that runs or starts later.
   Ruby is a library: a Ruby that starts later is seen only if another one runs when this begins. */
#pragma D summary what the virtual machines of Java, Python, Ruby and PHP do
#pragma D flag p process process only of this process
#pragma D flag S sort string=method the largest first of: method gc objnew cload excp thread
#pragma D flag r rows count in each report only so many processes
#pragma D argument interval period=1s the time between two reports
#pragma D argument count count how many reports
#pragma D example ustat 10 1 -- ten seconds
#pragma D option quiet
#pragma D option zdefs
#pragma D option aggsortrev

inline int WANTED = $process ? pid == $process : $target ? progenyof($target) : 1;

inline string POSITION = $sort == "method" ? "0" : $sort == "gc" ? "1" : $sort == "objnew" ? "2" :
    $sort == "cload" ? "3" : $sort == "excp" ? "4" : $sort == "thread" ? "5" : "";

BEGIN /POSITION == ""/
{
	printf("-S: there is no column %S; there are method, gc, objnew, cload, excp and thread\n", $sort);
	exit(2);
}
BEGIN /POSITION != ""/ { setopt("aggsortpos", POSITION); printf("Events are counted... Ctrl-C ends it.\n"); }

hotspot*:::method-entry, python*:::function-return, ruby*:::method-entry, ruby*:::cmethod-entry, php*:::function-entry
/WANTED/
{ seen = 1; @calls[pid, execname] = count(); }
hotspot*:::gc-begin, python*:::gc-start, ruby*:::gc-mark-begin
/WANTED/
{ seen = 1; @collections[pid, execname] = count(); }
hotspot*:::object-alloc, ruby*:::*-create
/WANTED/
{ seen = 1; @objects[pid, execname] = count(); }
hotspot*:::class-loaded, python*:::import-find-load-start, ruby*:::require-entry, php*:::compile-file-entry
/WANTED/
{ seen = 1; @loads[pid, execname] = count(); }
ruby*:::raise, php*:::exception-thrown /WANTED/ { seen = 1; @exceptions[pid, execname] = count(); }
hotspot*:::thread-start /WANTED/ { seen = 1; @threads[pid, execname] = count(); }

tick-$interval, END
/POSITION != "" && (!$count || reports++ < $count)/
{
	printf("\n%Y\n", walltimestamp);
	printf("%-8s %-16s %10s %8s %10s %8s %8s %8s\n",
	    "PID", "COMMAND", "CALLS", "GC", "OBJECTS", "LOADS", "RAISES", "THREADS");
	if ($rows) trunc(@calls, @collections, @objects, @loads, @exceptions, @threads, $rows);
	printa("%-8d %-16S %@10d %@8d %@10d %@8d %@8d %@8d\n", @calls, @collections, @objects, @loads, @exceptions, @threads);
	trunc(@calls); trunc(@collections); trunc(@objects); trunc(@loads); trunc(@exceptions); trunc(@threads);
}
tick-$interval /$count && reports == $count/ { exit(0); }
END /!seen && POSITION != ""/
{
	printf("\nNo program has reported an event. Java does; Python, Ruby and PHP if they were built with probes,\n");
	printf("as Debian's /usr/bin/python3: dtrace -l 'python*:::' shows those that run.\n");
}
