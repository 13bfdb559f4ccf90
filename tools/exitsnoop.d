#!/usr/sbin/dtrace -s
/* Processes as they end: how old they became, and with which status or by which signal they ended.
   Source: the provider proc. */
#pragma D summary processes as they end or crash, with their age and status
#pragma D flag p process process only this process
#pragma D flag n name string only programs whose name contains this
#pragma D flag T threads bool each thread that ends, not only the last one of a process
#pragma D flag x failed bool only those that ended with a status other than 0, or by a signal
#pragma D flag t timestamps bool also the time of day
#pragma D example exitsnoop -x -- which programs fail
#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN
{
	if ($timestamps) printf("%-20s ", "TIME");
	printf("%-16s %-8s %-8s %-8s %12s %s\n", "COMMAND", "PID", "PPID", "TID", "AGE(s)", "EXIT");
}

/* As wait() gives it: the signal is in the lowest 7 bits, the status in the next 8. */
proc:::exit, proc:::lwp-exit
/(probename == "lwp-exit") == $threads && (!$process || pid == $process) &&
    (!$failed || curthread->exit_code & 0xffff) && ($name == "" || strstr(execname, $name) != NULL)/
{
	this->ns = timestamp - ($threads ? curthread->start_time : curthread->group_leader->start_time);
	this->signal = curthread->exit_code & 0x7f;
	this->how = this->signal ? strjoin("signal ", lltostr(this->signal)) : lltostr(curthread->exit_code >> 8 & 0xff);
	if ($timestamps) printf("%-20Y ", walltimestamp);
	printf("%-16S %-8d %-8d %-8d %{s}12.3f %s\n", execname, pid, ppid, tid, this->ns,
	    curthread->exit_code & 0x80 ? strjoin(this->how, ", core dumped") : this->how);
}
