#!/usr/sbin/dtrace -s
/* Signals that programs send with system calls, to whom, and whether they could.
   Source: the system calls kill(), tkill(), tgkill() and pidfd_send_signal(). */
#pragma D summary signals that programs send with system calls
#pragma D flag p process process only those that this process sends
#pragma D flag T to process only those to this process
#pragma D flag n name string only those of programs whose name contains this
#pragma D flag s signal signal only this signal, such as KILL
#pragma D flag x failed bool only those that could not be sent
#pragma D example killsnoop -s 9 -- who kills whom
#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN { printf("%-20s %-8s %-16s %-10s %-8s %s\n", "TIME", "PID", "COMMAND", "SIGNAL", "TPID", "RESULT"); }

syscall::kill:entry, syscall::tkill:entry { self->to = self->group = arg0; self->signal = arg1; self->in = 1; }
syscall::tgkill:entry { self->group = arg0; self->to = arg1; self->signal = arg2; self->in = 1; }

/* The structure of an open file has the process, in two ways: the second since Linux 6.9. */
syscall::pidfd_send_signal:entry
{
	self->to = fds[arg0].fi_name == "[pidfd]" ? pid_vnr((struct pid *)getf(arg0)->private_data) :
	    fds[arg0].fi_fs == "pidfs" ? pid_vnr((struct pid *)getf(arg0)->f_inode->i_private) : -1;
	self->group = self->to;
	self->signal = arg1;
	self->in = 1;
}

syscall::kill:return, syscall::tkill:return, syscall::tgkill:return, syscall::pidfd_send_signal:return
/self->in && (!$process || pid == $process) && (!$signal || self->signal == $signal) && (!$failed || errno) &&
    ($name == "" || strstr(execname, $name) != NULL) && (!$to || (int)self->group == $to)/
{
	printf("%-20Y %-8d %-16S %-10s %-8d %d\n", walltimestamp, pid, execname, signame(self->signal), (int)self->to, -errno);
}

syscall::kill:return, syscall::tkill:return, syscall::tgkill:return, syscall::pidfd_send_signal:return
{
	self->in = 0;
}
