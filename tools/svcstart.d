#!/usr/sbin/dtrace -s
/* What a service does when it starts: the programs that its processes execute, how they end, and the files that they
   cannot open, with the error before the path; with -a also those that they open. MS is the time since the service's
   first program. systemd runs a service in a control group of version 2 that has the name of the unit, and makes a new
   group for each start. Source: the provider proc, and the system calls open(), openat() and openat2(). */
#pragma D summary what a service does when it starts: programs, how they end, files
#pragma D flag a all bool also the files that can be opened
#pragma D flag x programs bool only programs and how they end
#pragma D flag d duration period=365d ends after this time
#pragma D argument service service the unit, such as nginx.service; without it, all control groups but the root
#pragma D example svcstart nginx.service -- then, elsewhere, systemctl restart nginx
#pragma D example svcstart -x -- which programs all services execute
#pragma D option quiet
#pragma D option strsize=1024
#pragma D option bufsize=16m
#pragma D option switchrate=10hz

inline int IS_OURS = $service == "" ? cgroupname != "/" : cgroupname == $service;

BEGIN
{
	if ($service == "") printf("%-32s ", "SERVICE");
	printf("%12s %-8s %-16s %-8s %s\n", "MS", "PID", "COMMAND", "EVENT", "WHAT");
}

proc:::exec-success /IS_OURS && !first[cgroupid]/ { first[cgroupid] = timestamp; }

proc:::exec-success
/IS_OURS/
{
	if ($service == "") printf("%-32S ", cgroupname);
	printf("%{ms}12.3f %-8d %-16S %-8s %S\n", timestamp - first[cgroupid], pid, execname, "exec", execargs);
}

/* As wait() gives it: the signal is in the lowest 7 bits, the status in the next 8. */
proc:::exit
/IS_OURS && first[cgroupid]/
{
	this->signal = curthread->exit_code & 0x7f;
	if ($service == "") printf("%-32S ", cgroupname);
	printf("%{ms}12.3f %-8d %-16S %-8s %s %d\n", timestamp - first[cgroupid], pid, execname, "exit",
	    this->signal ? "signal" : "status", this->signal ? this->signal : curthread->exit_code >> 8 & 0xff);
}

syscall::open:entry /!$programs && IS_OURS/ { self->path = arg0; }
syscall::openat:entry, syscall::openat2:entry /!$programs && IS_OURS/ { self->path = arg1; }

syscall::open:return, syscall::openat:return, syscall::openat2:return
/self->path && first[cgroupid] && ($all || errno)/
{
	if ($service == "") printf("%-32S ", cgroupname);
	printf("%{ms}12.3f %-8d %-16S %-8s %s %S\n", timestamp - first[cgroupid], pid, execname, "open", errname(errno),
	    copyinstr(self->path));
}
syscall::open:return, syscall::openat:return, syscall::openat2:return { self->path = 0; }

tick-$duration { exit(0); }
