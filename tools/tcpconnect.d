#!/usr/sbin/dtrace -s
/* Connections of TCP that processes ask for, as they do it, even if the connection fails. With -c, how many there were
   until Ctrl-C. The kernel chooses the own port late: with -L, lines come when the system call returns, and requests of
   io_uring are not shown; LPORT is 0 if the connection has failed by then. Source: the provider tcp, and with -L the
   system calls connect(), sendto() and sendmsg(). */
#pragma D summary connections of TCP that processes ask for
#pragma D flag p process process only those of this process
#pragma D flag P port port only those to this port
#pragma D flag 4 ipv4 bool only those of IPv4
#pragma D flag 6 ipv6 bool only those of IPv6
#pragma D flag u user user=-1 only those of this user
#pragma D flag U users bool also the user
#pragma D flag L local bool also the own port; not with -c
#pragma D flag t timestamps bool also the time of day
#pragma D flag c count bool the number of connections by their ends, until Ctrl-C
#pragma D example tcpconnect -P 443 -U -- who uses TLS servers
#pragma D example tcpconnect -c -- which servers are asked most
#pragma D option quiet
#pragma D option switchrate=10hz
inline int IS_WANTED[int version] = $ipv4 == $ipv6 || (version == 6 ? $ipv6 : $ipv4);
BEGIN /$count && $local/ { printf("-L: with -c, each connection would be a row of its own\n"); exit(2); }
BEGIN
/!($count && $local)/
{
	if ($timestamps && !$count) printf("%-20s ", "TIME");
	if ($users && !$count) printf("%-6s ", "UID");
	if ($count) printf("%-24s %-24s %-6s %8s\n", "LADDR", "RADDR", "RPORT", "COUNT");
	else printf("%-8s %-16s %-2s %-24s %-24s %s%s\n", "PID", "COMMAND", "IP", "LADDR", "RADDR", "RPORT",
		    $local ? " LPORT" : "");
}

tcp:::connect-request
/(!$process || pid == $process) && (!$port || args[4]->tcp_dport == $port) && ($user < 0 || uid == $user) &&
    IS_WANTED[args[2]->ip_ver]/
{
	if ($count) {
		@[args[2]->ip_saddr, args[2]->ip_daddr, args[4]->tcp_dport] = count();
	} else if ($local) {
		self->common = &((struct sock *)arg1)->__sk_common;
		self->from = args[2]->ip_saddr;
		self->to = args[2]->ip_daddr;
		self->port = args[4]->tcp_dport;
	} else {
		if ($timestamps) printf("%-20Y ", walltimestamp);
		if ($users) printf("%-6d ", uid);
		printf("%-8d %-16S %-2d %-24s %-24s %d\n", pid, execname, args[2]->ip_ver,
		    args[2]->ip_saddr, args[2]->ip_daddr, args[4]->tcp_dport);
	}
}

syscall::connect:return, syscall::sendto:return, syscall::sendmsg:return
/self->common/
{
	if ($timestamps) printf("%-20Y ", walltimestamp);
	if ($users) printf("%-6d ", uid);
	printf("%-8d %-16S %-2d %-24s %-24s %-6d%d\n", pid, execname, tcp_is_inet6[self->common] ? 6 : 4,
	    self->from, self->to, self->port, self->common->skc_num);
}
syscall::connect:return, syscall::sendto:return, syscall::sendmsg:return /self->common/ { self->common = 0; }
END /!$local/ { printa("%-24s %-24s %-6d %@8d\n", @); }
