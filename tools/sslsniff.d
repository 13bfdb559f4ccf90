#!/usr/sbin/dtrace -s
/* What programs send and receive by TLS, as they write and read it themselves: at most 1,024 bytes of each call, up to
   the first zero byte. Source: the functions SSL_write() and SSL_read() of OpenSSL, and their _ex variants, in every
   process that runs or starts later. */
#pragma D summary what programs send and receive by TLS
#pragma D flag n name string only those of programs whose name contains this
#pragma D flag u user user=-1 only those of this user
#pragma D flag p process process only those of this process
#pragma D example sslsniff -n curl -- requests of curl and their answers
#pragma D option quiet
#pragma D option strsize=1024
#pragma D option bufsize=16m
#pragma D option switchrate=10hz

BEGIN { printf("%-8s %-20s %-8s %-16s %8s %s\n", "WHAT", "TIME", "PID", "COMMAND", "BYTES", "DATA"); }

pid*:libssl:SSL_write:entry, pid*:libssl:SSL_write_ex:entry, pid*:libssl:SSL_read:entry, pid*:libssl:SSL_read_ex:entry
/(!$process || pid == $process) && ($user < 0 || uid == $user) && ($name == "" || strstr(execname, $name) != NULL)/
{
	self->data = arg1;
	self->done = arg3;	/* where the _ex variants store the number of bytes */
}

pid*:libssl:SSL_write:return, pid*:libssl:SSL_read:return
/self->data && (int)arg1 > 0/
{
	printf("%-8s %-20Y %-8d %-16S %8d %S\n", probefunc == "SSL_write" ? "send" : "receive", walltimestamp, pid,
	    execname, (int)arg1, copyinstr(self->data, (int)arg1));
}

pid*:libssl:SSL_write_ex:return, pid*:libssl:SSL_read_ex:return
/self->data && (int)arg1 == 1/
{
	this->size = *(uint64_t *)copyin(self->done, 8);
	printf("%-8s %-20Y %-8d %-16S %8d %S\n", probefunc == "SSL_write_ex" ? "send" : "receive", walltimestamp, pid,
	    execname, this->size, copyinstr(self->data, this->size));
}

pid*:libssl:SSL_write:return, pid*:libssl:SSL_read:return, pid*:libssl:SSL_write_ex:return,
pid*:libssl:SSL_read_ex:return
{
	self->data = 0;
}
