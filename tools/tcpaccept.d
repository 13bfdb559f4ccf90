#!/usr/sbin/dtrace -s
/* Connections of TCP that servers accept, when they do: connections that wait for accept() are not shown.
   Source: the system calls accept() and accept4(), and the kernel's structure of the new socket. */
#pragma D summary connections of TCP that servers accept
#pragma D flag p process process only those of this process
#pragma D flag P port port only those to this port
#pragma D flag 4 ipv4 bool only those of IPv4
#pragma D flag 6 ipv6 bool only those of IPv6
#pragma D flag t seconds bool also the seconds since the start
#pragma D flag T timestamps bool also the time of day
#pragma D example tcpaccept -P 22 -T -- who logs in by ssh
#pragma D option quiet
#pragma D option switchrate=10hz

inline int IS_INET[int family] = family == 2 || family == 10;	/* AF_INET, AF_INET6 */

BEGIN
{
	begun = timestamp;
	if ($seconds) printf("%-10s ", "TIME(s)");
	if ($timestamps) printf("%-20s ", "TIME");
	printf("%-8s %-16s %-2s %-24s %5s %-24s %5s\n", "PID", "COMMAND", "IP", "RADDR", "RPORT", "LADDR", "LPORT");
}

syscall::accept:return, syscall::accept4:return
/!errno && (!$process || pid == $process) && getf(arg1) != NULL/
{
	this->sock = ((struct socket *)getf(arg1)->private_data)->sk;
	this->common = &this->sock->__sk_common;
	if (IS_INET[this->common->skc_family] && this->sock->sk_protocol == IPPROTO_TCP &&
	    (!$port || this->common->skc_num == $port) &&
	    ($ipv4 == $ipv6 || (tcp_is_inet6[this->common] ? $ipv6 : $ipv4))) {
		if ($seconds) printf("%{s}-10.3f ", timestamp - begun);
		if ($timestamps) printf("%-20Y ", walltimestamp);
		printf("%-8d %-16S %-2d %-24s %5d %-24s %5d\n", pid, execname, tcp_is_inet6[this->common] ? 6 : 4,
		    tcp_remote_address[this->common], tcp_remote_port[this->common],
		    tcp_local_address[this->common], this->common->skc_num);
	}
}
