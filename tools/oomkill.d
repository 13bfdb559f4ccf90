#!/usr/sbin/dtrace -s
/* Processes that the kernel kills because there is no memory left, in the machine or in what their cgroup may use, and
   the process that asked for memory at this time. Source: the tracepoint mark_victim. */
#pragma D summary processes that the kernel kills because there is no memory left
#pragma D example oomkill -- who is killed, and who asked for memory
#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN { printf("%-20s %-8s %-16s %-8s %-16s %12s\n", "TIME", "BY", "COMMAND", "VICTIM", "COMMAND", "ADDRESSES(KiB)"); }

sdt:oom::mark_victim
{
	this->mm = ((struct task_struct *)arg0)->mm;
	printf("%-20Y %-8d %-16S %-8d %-16S %12d\n", walltimestamp, pid, execname, task_tgid_vnr(args[0]), args[0]->comm,
	    this->mm ? this->mm->total_vm * 4 : 0);
}
