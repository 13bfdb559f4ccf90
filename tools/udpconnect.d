#!/usr/sbin/dtrace -s
/* Where programs send datagrams of UDP: connect() of a socket, and else the first datagram of a process to an address
   and port, even if it fails. With -C, how many datagrams were sent until Ctrl-C. What programs send with write(),
   sendfile() or io_uring is not seen. Source: the system calls connect(), sendto(), sendmsg() and sendmmsg(). */
#pragma D summary where programs send datagrams of UDP
#pragma D flag p process process only those of this process
#pragma D flag P port port only those to this port
#pragma D flag u user user=-1 only those of this user
#pragma D flag U users bool also the user
#pragma D flag t timestamps bool also the time of day
#pragma D flag C count bool the number of datagrams by process and destination, until Ctrl-C
#pragma D example udpconnect -P 53 -- who asks which server for names
#pragma D example udpconnect -C -- who sends most, and where
#pragma D option quiet
#pragma D option switchrate=10hz

inline int IS_SOCKET[int fd] = getf(fd) != NULL && (getf(fd)->f_inode->i_mode & 0170000) == 0140000;
inline struct sock *SOCK[int fd] = ((struct socket *)getf(fd)->private_data)->sk;
int seen[pid_t, string, uint16_t];

BEGIN
{
	if ($timestamps && !$count) printf("%-20s ", "TIME");
	if ($users && !$count) printf("%-6s ", "UID");
	if ($count) printf("%-8s %-16s %-2s %-24s %5s %9s\n", "PID", "COMMAND", "IP", "RADDR", "RPORT", "DATAGRAMS");
	if (!$count) printf("%-8s %-16s %-2s %-9s %-24s %5s\n", "PID", "COMMAND", "IP", "CALL", "RADDR", "RPORT");
}

/* The address of a message is the first member of its struct user_msghdr. */
syscall::connect:entry, syscall::sendto:entry, syscall::sendmsg:entry, syscall::sendmmsg:entry
/(!$process || pid == $process) && ($user < 0 || uid == $user) && IS_SOCKET[(int)arg0] &&
    SOCK[(int)arg0]->sk_protocol == IPPROTO_UDP/
{
	self->common = (uintptr_t)&SOCK[(int)arg0]->__sk_common;
	self->to = probefunc == "connect" ? arg1 : probefunc == "sendto" ? arg4 : *(uintptr_t *)copyin(arg1, 8);
}

syscall::connect:return, syscall::sendto:return, syscall::sendmsg:return, syscall::sendmmsg:return
/self->common/
{
	this->common = (struct sock_common *)self->common;
	this->family = self->to ? *(uint16_t *)copyin(self->to, 2) : this->common->skc_family;
	this->v6 = this->family == 10;	/* AF_INET6; AF_INET is 2 */
	this->rport = self->to ? ntohs(*(uint16_t *)copyin(self->to + 2, 2)) : tcp_remote_port[this->common];
	this->raddr = !self->to ? tcp_remote_address[this->common] : this->v6 ?
	    inet_ntoa6((struct in6_addr *)copyin(self->to + 8, 16)) : inet_ntoa((ipaddr_t *)copyin(self->to + 4, 4));
	this->sent = probefunc == "connect" || errno ? 0 : probefunc == "sendmmsg" ? arg1 : 1;
	this->is_shown = (this->v6 || this->family == 2) && (!$port || this->rport == $port);
	if (!$count && this->is_shown && !seen[pid, this->raddr, this->rport]) {
		seen[pid, this->raddr, this->rport] = 1;
		if ($timestamps) printf("%-20Y ", walltimestamp);
		if ($users) printf("%-6d ", uid);
		printf("%-8d %-16S %-2d %-9s %-24s %5d\n", pid, execname, this->v6 ? 6 : 4, probefunc, this->raddr, this->rport);
	}
	if ($count && this->is_shown && this->sent)
		@[pid, execname, this->v6 ? 6 : 4, this->raddr, this->rport] = sum(this->sent);
	self->common = 0;
}
END { printa("%-8d %-16S %-2d %-24s %5d %@9d\n", @); }
