#!/usr/sbin/dtrace -s
/* Names of machines that programs look up, and how long it takes. Programs that are linked statically, or ask a server
   themselves, are not seen. Source: the functions getaddrinfo(), gethostbyname() and gethostbyname2() of the C library,
   in every process that runs or starts later. */
#pragma D summary names of machines that programs look up (DNS), and how long it takes
#pragma D flag p process process only those of this process
#pragma D flag n name string only those of programs whose name contains this
#pragma D example gethostlatency -n curl -- how long curl waits for names
#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN { printf("%-20s %-8s %-16s %9s %s\n", "TIME", "PID", "COMMAND", "LAT(ms)", "NAME"); }

pid*:libc:getaddrinfo:entry, pid*:libc:gethostbyname:entry, pid*:libc:gethostbyname2:entry
/arg0 && (!$process || pid == $process) && ($name == "" || strstr(execname, $name) != NULL)/
{
	self->start = timestamp;
	self->name = copyinstr(arg0);
}

pid*:libc:getaddrinfo:return, pid*:libc:gethostbyname:return, pid*:libc:gethostbyname2:return
/self->start/
{
	printf("%-20Y %-8d %-16S %{ms}9.3f %S\n", walltimestamp, pid, execname, timestamp - self->start, self->name);
	self->start = 0;
	self->name = 0;
}
