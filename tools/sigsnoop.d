#!/usr/sbin/dtrace -s
/* Signals that are sent, by programs or by the kernel, and to whom. A signal that is discarded, because it is ignored
   or already pending, is shown with -x. Source: the provider proc. */
#pragma D summary signals that are sent, by programs or by the kernel
#pragma D flag p process process only those that this process sends
#pragma D flag n name string only those of programs whose name contains this
#pragma D flag T to process only those that this process gets
#pragma D flag s signal signal only this signal, such as KILL
#pragma D flag x discarded bool also those that are discarded
#pragma D example sigsnoop -s 11 -- which programs access bad addresses
#pragma D example sigsnoop -T 1234 -- who sends signals to process 1234
#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN
{
	printf("%-20s %-8s %-16s %-10s %-8s %-16s %s\n", "TIME", "PID", "COMMAND", "SIGNAL", "TPID", "TCOMMAND", "RESULT");
}

proc:::signal-send, proc:::signal-discard
/($discarded || probename == "signal-send") && (!$process || pid == $process) && (!$signal || args[2] == $signal) &&
    (!$to || args[1]->pr_pid == $to) && ($name == "" || strstr(execname, $name) != NULL)/
{
	printf("%-20Y %-8d %-16S %-10s %-8d %-16S %s\n", walltimestamp, pid, execname, signame(args[2]), args[1]->pr_pid,
	    args[1]->pr_fname, probename == "signal-send" ? "sent" : "discarded");
}
