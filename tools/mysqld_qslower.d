#!/usr/sbin/dtrace -s
/* Queries of MySQL or MariaDB that take long. The server must have been built with probes (-DENABLE_DTRACE=1).
   Source: its probes query-start and query-done, in every process that runs or starts later. */
#pragma D summary queries of MySQL and MariaDB that take long
#pragma D flag p process process only in this process
#pragma D argument least uint=1 only those of at least this many milliseconds; 0: all
#pragma D example mysqld_qslower 100 -- queries that take 100 ms or more
#pragma D option quiet
#pragma D option zdefs
#pragma D option strsize=512
#pragma D option switchrate=10hz

BEGIN { printf("%-20s %-8s %-16s %9s %s\n", "TIME", "PID", "DATABASE", "LAT(ms)", "QUERY"); }

mysql*:::query-start
/!$process || pid == $process/
{
	self->begin = timestamp;
	self->query = copyinstr(arg0);
	self->database = arg2 ? copyinstr(arg2) : "";
}

mysql*:::query-done
/self->begin && timestamp - self->begin >= $least * 1000000/
{
	printf("%-20Y %-8d %-16S %{ms}9.3f %S\n", walltimestamp, pid, self->database, timestamp - self->begin, self->query);
}
mysql*:::query-done { self->begin = 0; self->query = 0; self->database = 0; }
