#!/usr/sbin/dtrace -s
/* Sockets that begin to listen for connections: address, port, and how many connections may wait.
   Source: the system call listen(), and the kernel's structure of the socket. */
#pragma D summary sockets that begin to listen for connections
#pragma D flag p process process only those of this process
#pragma D example solisten -- which servers start
#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN { printf("%-8s %-16s %4s %-5s %7s %5s %s\n", "PID", "COMMAND", "RET", "PROTO", "BACKLOG", "PORT", "ADDRESS"); }

syscall::listen:entry
/(!$process || pid == $process) && getf(arg0) != NULL/
{
	self->socket = (uintptr_t)getf(arg0)->private_data;
	self->backlog = (int)arg1;
}

syscall::listen:return
/self->socket && errno != ENOTSOCK/
{
	this->sock = ((struct socket *)self->socket)->sk;
	this->common = &this->sock->__sk_common;
	this->v6 = this->common->skc_family == 10;	/* AF_INET6 */
	if (this->common->skc_family == 2 || this->v6)
		printf("%-8d %-16S %4d %-5s %7d %5d %s\n", pid, execname, -errno, this->v6 ? "TCPv6" : "TCPv4",
		    self->backlog, this->common->skc_num, this->v6 ? inet_ntoa6(&this->common->skc_v6_rcv_saddr) :
		    inet_ntoa((ipaddr_t *)&this->common->skc_rcv_saddr));
}

syscall::listen:return { self->socket = 0; }
