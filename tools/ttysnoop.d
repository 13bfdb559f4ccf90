#!/usr/sbin/dtrace -s
/* What programs write to a terminal, in pieces as they write it: at most 1,024 bytes of each write(). Unprintable
   characters are escapes, so that the text does not control your terminal. Source: the system call write(). */
#pragma D summary what programs write to a terminal
#pragma D argument terminal terminal a terminal, such as /dev/pts/0; all of them when it is not given
#pragma D example ttysnoop /dev/pts/2 -- what is shown on another terminal
#pragma D option quiet
#pragma D option strsize=1024
#pragma D option bufsize=16m
#pragma D option switchrate=10hz

inline int IS_TERMINAL[string path] = path == $terminal || ($terminal == "" &&
    (strstr(path, "/dev/pts/") == path || strstr(path, "/dev/tty") == path));

BEGIN { printf("%-12s %-8s %-16s %s\n", "TERMINAL", "PID", "COMMAND", "TEXT"); }

syscall::write:entry
/pid != $pid && IS_TERMINAL[fds[arg0].fi_pathname]/
{
	self->text = arg1;
	self->file = (int)arg0;
}

/* The text is read when the call ends: its memory is certainly there then. */
syscall::write:return
/self->text && (int)arg1 > 0/
{
	printf("%-12S %-8d %-16S %S\n", fds[self->file].fi_pathname, pid, execname, copyinstr(self->text, (int)arg1));
}

syscall::write:return { self->text = 0; }
