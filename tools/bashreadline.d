#!/usr/sbin/dtrace -s
/* Lines that people type into bash, in every shell that runs or starts later, whether they can be executed or not.
   Source: the return of the function readline() of bash. */
#pragma D summary lines that people type into bash
#pragma D option quiet
#pragma D option strsize=1024
#pragma D option switchrate=10hz
#pragma D example bashreadline -- what is typed, with the time of day

BEGIN { printf("%-20s %-8s %s\n", "TIME", "PID", "LINE"); }

pid*:bash:readline:return /arg1/ { printf("%-20Y %-8d %S\n", walltimestamp, pid, copyinstr(arg1)); }
