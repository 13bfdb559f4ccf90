#!/usr/sbin/dtrace -s
/* What programs send and receive by TLS, as they write and read it themselves: at most 1,024 bytes of each call, up to
   the first zero byte. Source: the functions SSL_write() and SSL_read() of OpenSSL, and their _ex variants, in every
   process that runs or starts later. */
#pragma D summary what programs send and receive by TLS
#pragma D flag n name string only those of programs whose name contains this
#pragma D flag c program string the same as -n
#pragma D flag u user user=-1 only those of this user
#pragma D flag p process process only those of this process
#pragma D flag x extra bool also the user and the thread
#pragma D flag l latency bool also how long the call took, in milliseconds
#pragma D example sslsniff -n curl -- requests of curl and their answers
#pragma D example sslsniff -l -p '$target' --command 'curl https://localhost' -- the same of one command, with times
#pragma D option quiet
#pragma D option strsize=1024
#pragma D option bufsize=16m
#pragma D option switchrate=10hz

BEGIN
{
	printf("%-8s %-20s ", "WHAT", "TIME");
	if ($extra) printf("%-6s %-8s ", "UID", "TID");
	printf("%-8s %-16s %8s ", "PID", "COMMAND", "BYTES");
	if ($latency) printf("%10s ", "LAT(ms)");
	printf("%s\n", "DATA");
}

pid*:libssl:SSL_write:entry, pid*:libssl:SSL_write_ex:entry, pid*:libssl:SSL_read:entry, pid*:libssl:SSL_read_ex:entry
/(!$process || pid == $process) && ($user < 0 || uid == $user) && ($name == "" || strstr(execname, $name) != NULL) &&
    ($program == "" || strstr(execname, $program) != NULL)/
{
	self->data = arg1;
	self->done = arg3;	/* where the _ex variants store the number of bytes */
	if ($latency) self->begin = timestamp;
}

/* The _ex variants return 1 when they have done it. */
pid*:libssl:SSL_write:return, pid*:libssl:SSL_read:return, pid*:libssl:SSL_write_ex:return,
pid*:libssl:SSL_read_ex:return
/self->data && (int)arg1 > 0/
{
	this->size = probefunc == "SSL_write" || probefunc == "SSL_read" ? (int)arg1 : *(uint64_t *)copyin(self->done, 8);
	printf("%-8s %-20Y ", probefunc == "SSL_write" || probefunc == "SSL_write_ex" ? "send" : "receive", walltimestamp);
	if ($extra) printf("%-6d %-8d ", uid, tid);
	printf("%-8d %-16S %8d ", pid, execname, this->size);
	if ($latency) printf("%{ms}10.3f ", timestamp - self->begin);
	printf("%S\n", copyinstr(self->data, this->size));
}

pid*:libssl:SSL_write:return, pid*:libssl:SSL_read:return, pid*:libssl:SSL_write_ex:return,
pid*:libssl:SSL_read_ex:return
{
	self->data = 0; self->begin = 0;
}
