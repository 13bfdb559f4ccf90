#!/usr/sbin/dtrace -s
/* Queries of databases that take long: PostgreSQL, and MySQL or MariaDB if it was built with probes. A query of
   PostgreSQL is what the simple protocol sends; prepared statements are not seen.
   Source: probes of the servers, in every process that runs or starts later. */
#pragma D summary queries of PostgreSQL and MySQL that take long
#pragma D flag p process process only in this process
#pragma D flag m least uint=1 only those of at least this many milliseconds; 0: all
#pragma D argument server string only those of mysql or postgres
#pragma D example dbslower -m 100 -- queries that take 100 ms or more
#pragma D option quiet
#pragma D option zdefs
#pragma D option strsize=256
#pragma D option switchrate=10hz

BEGIN
/$server != "" && $server != "mysql" && $server != "postgres"/
{
	printf("there is no %S here: there are mysql and postgres\n", $server);
	seen = 1;
	exit(2);
}
BEGIN { printf("%-20s %-8s %-16s %10s %s\n", "TIME", "PID", "COMMAND", "LAT(ms)", "QUERY"); }

postgresql*:::query-start, mysql*:::query-start
/(!$process || pid == $process) && ($server == "" || strstr(probeprov, $server) != NULL)/
{
	seen = 1;
	self->begin = timestamp;
	self->query = copyinstr(arg0);
}

postgresql*:::query-done, mysql*:::query-done
/self->begin && timestamp - self->begin >= $least * 1000000/
{
	this->ns = timestamp - self->begin;
	printf("%-20Y %-8d %-16S %{ms}10.3f %S\n", walltimestamp, pid, execname, this->ns, self->query);
}

postgresql*:::query-done, mysql*:::query-done { self->begin = 0; self->query = 0; }

END
/!seen/
{
	printf("\nNo server has reported a query. PostgreSQL does if it was built with --enable-dtrace, as Debian's is;\n");
	printf("MySQL before 8.0 and MariaDB with probes (dtrace -l query-start shows those that run).\n");
	printf("A function of any program needs no probes: funcslower -m 10 -s 0 -p PID 'pid$target:a.out:run_query'.\n");
}
