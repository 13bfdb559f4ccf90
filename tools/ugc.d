#!/usr/sbin/dtrace -s
/* Collections of garbage in programs of Java, Python and Ruby, and how long each took. WHAT is in Java the pool,
   in Python the generation, in Ruby the part: mark or sweep.
   Source: probes of OpenJDK (hotspot), Python and Ruby, in every process that runs or starts later.
   Ruby is a library: a Ruby that starts later is seen only if another one runs when this begins. */
#pragma D summary collections of garbage in Java, Python and Ruby, and how long they take
#pragma D flag p process process only in this process
#pragma D flag M least uint only those of at least this many microseconds
#pragma D example ugc -M 10000 -- collections that take 10 ms or more
#pragma D option quiet
#pragma D option zdefs
#pragma D option switchrate=10hz

inline int WANTED = $process ? pid == $process : $target ? progenyof($target) : 1;

BEGIN { printf("%-20s %-8s %-16s %10s %s\n", "TIME", "PID", "COMMAND", "LAT(ms)", "WHAT"); }

hotspot*:::mem-pool-gc-begin, python*:::gc-start, ruby*:::gc-sweep-begin
/WANTED/
{
	self->begin = timestamp;
	self->generation = probename == "gc-start" ? (int)arg0 : 0;
}
ruby*:::gc-mark-begin /WANTED/ { self->mark = timestamp; }	/* others can be within it */

hotspot*:::mem-pool-gc-end /self->begin/ { self->what = copyinstr(arg2, (int)arg3); }
python*:::gc-done /self->begin/ { self->what = strjoin("generation ", lltostr(self->generation)); }
ruby*:::gc-mark-end /self->mark/ { self->what = "mark"; }
ruby*:::gc-sweep-end /self->begin/ { self->what = "sweep"; }

hotspot*:::mem-pool-gc-end, python*:::gc-done, ruby*:::gc-mark-end, ruby*:::gc-sweep-end
/self->what != NULL/
{
	seen = 1;
	this->ns = timestamp - (probename == "gc-mark-end" ? self->mark : self->begin);
	if (this->ns >= $least * 1000)
		printf("%-20Y %-8d %-16S %{ms}10.3f %S\n", walltimestamp, pid, execname, this->ns,
		    self->what);
	self->what = 0;
}

hotspot*:::mem-pool-gc-end, python*:::gc-done, ruby*:::gc-sweep-end { self->begin = 0; }
ruby*:::gc-mark-end { self->mark = 0; }

/* No line does not say why. */
END
/!seen/
{
	printf("\nNo program has reported a collection. Java does; Python and Ruby if they were built with probes,\n");
	printf("as Debian's /usr/bin/python3: dtrace -l 'python*:::' shows those that run.\n");
}
