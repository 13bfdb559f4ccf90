#!/usr/sbin/dtrace -s
/* Each time that a function, system call or other probe is reached: by which thread, and with which arguments, as
   hexadecimal numbers; those that the function does not have are undefined. At a return, the second one is the value
   that is returned.
   Source: the probes that the description names. */
#pragma D summary each time that a function or other probe is reached, with its arguments
#pragma D flag p process process only in this process
#pragma D flag L thread process only in this thread
#pragma D flag n name string only those of programs whose name contains this
#pragma D flag s text int=-1 the number of an argument that is a text of the program, such as a path
#pragma D flag U user bool also the stack of the program
#pragma D flag K kernel bool also the stack of the kernel
#pragma D flag t seconds bool also the seconds since the start
#pragma D flag T timestamps bool the time of day, which is always shown
#pragma D flag M most count ends after this many
#pragma D argument probes string=syscall::openat:entry a description of probes
#pragma D example trace -s 0 syscall::chdir:entry -- which directories programs go to
#pragma D example trace -U -p 1234 pid1234:libc:exit:entry -- why does process 1234 end?
#pragma D option quiet
#pragma D option demangle
#pragma D option switchrate=10hz

inline int WANTED = (!$process || pid == $process) && (!$thread || tid == $thread) &&
    ($name == "" || strstr(execname, $name) != NULL);

BEGIN
{
	begin = timestamp;
	if ($seconds) printf("%-12s ", "TIME(s)");
	printf("%-20s %-8s %-8s %-16s %-20s %s\n", "TIME", "PID", "TID", "COMMAND", "FUNCTION", "ARGUMENTS");
}

$probes
/WANTED/
{
	if ($seconds) printf("%{s}-12.6f ", timestamp - begin);
	printf("%-20Y %-8d %-8d %-16S %-20S %#x %#x %#x %#x %#x %#x", walltimestamp, pid, tid, execname, probefunc, arg0,
	    arg1, arg2, arg3, arg4, arg5);
	if ($text >= 0)
		printf(" \"%S\"", copyinstr($text == 0 ? arg0 : $text == 1 ? arg1 : $text == 2 ? arg2 : $text == 3 ? arg3 :
		    $text == 4 ? arg4 : arg5));
	printf("\n");
	if ($kernel) stack();
	if ($user) ustack();
}

$probes /$most && WANTED && ++reached >= $most/ { exit(0); }
