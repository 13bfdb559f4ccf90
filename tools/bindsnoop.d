#!/usr/sbin/dtrace -s
/* Sockets that programs bind to a local address and port: servers, and clients that choose a port. A port of 0 lets the
   kernel choose one: PORT is the result. Of a bind() that failed, they are those for which the program asked.
   Source: the system call bind(), and the kernel's structure of the socket. */
#pragma D summary sockets that programs bind to an address and port
#pragma D flag p process process only those of this process
#pragma D flag P port port only those to this port
#pragma D flag u user user=-1 only those of this user
#pragma D flag x failed bool only those that failed, with the port and address for which the program asked
#pragma D flag U users bool also the user
#pragma D flag t timestamps bool also the time of day
#pragma D example bindsnoop -x -- why does a server not start?
#pragma D example bindsnoop -P 80 -- who wants port 80
#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN
{
	if ($timestamps) printf("%-20s ", "TIME");
	if ($users) printf("%-6s ", "UID");
	printf("%-8s %-16s %4s %-6s %5s %s\n", "PID", "COMMAND", "RET", "PROTO", "PORT", "ADDRESS");
}

/* 0140000 in the mode of a file: it is a socket. */
syscall::bind:entry
/(!$process || pid == $process) && ($user < 0 || uid == $user) && getf(arg0) != NULL &&
    (getf(arg0)->f_inode->i_mode & 0170000) == 0140000/
{
	self->socket = (uintptr_t)getf(arg0)->private_data;
	self->address = arg1; self->length = (int)arg2;
}

syscall::bind:return
/self->socket/
{
	this->sock = ((struct socket *)self->socket)->sk; this->common = &this->sock->__sk_common;
	this->v6 = this->common->skc_family == 10; this->port = this->common->skc_num;	/* AF_INET6; AF_INET is 2 */
	this->at = this->v6 ? inet_ntoa6(&this->common->skc_v6_rcv_saddr) :
	    inet_ntoa((ipaddr_t *)&this->common->skc_rcv_saddr);
}
/* The socket has no address then. */
syscall::bind:return
/self->socket && errno && errno != EFAULT &&
    self->length >= (this->v6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in))/
{
	this->asked = (struct sockaddr_in *)copyin(self->address, sizeof(struct sockaddr_in));
	this->port = ntohs(this->asked->sin_port);	/* in the same place in both */
	this->at = this->v6 ?
	    inet_ntoa6(&((struct sockaddr_in6 *)copyin(self->address, sizeof(struct sockaddr_in6)))->sin6_addr) :
	    inet_ntoa((ipaddr_t *)&this->asked->sin_addr);
}
syscall::bind:return
/self->socket && (this->common->skc_family == 2 || this->v6) && (!$failed || errno) && (!$port || this->port == $port)/
{
	if ($timestamps) printf("%-20Y ", walltimestamp);
	if ($users) printf("%-6d ", uid);
	printf("%-8d %-16S %4d %-6s %5d %s\n", pid, execname, -errno, this->sock->sk_protocol == IPPROTO_TCP ? "TCP" :
	    this->sock->sk_protocol == IPPROTO_UDP ? "UDP" : lltostr(this->sock->sk_protocol), this->port, this->at);
}
syscall::bind:return { self->socket = 0; }
