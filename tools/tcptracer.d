#!/usr/sbin/dtrace -s
/* TCP connections that are established or accepted, and that are closed. The program is the one that asked or accepted.
   Source: the provider tcp, and the system calls accept() and accept4(). */
#pragma D summary TCP connections that are established, accepted and closed
#pragma D flag p process process only those of this process
#pragma D flag 4 ipv4 bool only those of IPv4
#pragma D flag 6 ipv6 bool only those of IPv6
#pragma D flag t timestamps bool also the seconds since the start
#pragma D example tcptracer -t -p 1234 -- connections of one process, with times
#pragma D option quiet
#pragma D option switchrate=10hz

inline int IS_WANTED[int version] = $ipv4 == $ipv6 || (version == 6 ? $ipv6 : $ipv4);
inline int IS_LAST[int to] = to == TCP_STATE_CLOSED || to == TCP_STATE_TIME_WAIT;
inline string EVENT[int from, int to] = from == TCP_STATE_SYN_SENT && to == TCP_STATE_ESTABLISHED ? "connect" :
    to == TCP_STATE_FIN_WAIT_1 || to == TCP_STATE_LAST_ACK ||
    (to == TCP_STATE_CLOSED && (from == TCP_STATE_ESTABLISHED || from == TCP_STATE_CLOSE_WAIT)) ? "close" : "";
struct owner { int pid; string command; };
struct owner owners[uint64_t];

BEGIN
{
	begin = timestamp;
	if ($timestamps) printf("%-12s ", "TIME(s)");
	printf("%-8s %-8s %-16s %-2s %-24s %5s ", "EVENT", "PID", "COMMAND", "IP", "LADDR", "LPORT");
	printf("%-24s %5s\n", "RADDR", "RPORT");
}

tcp:::connect-request
/(!$process || pid == $process) && IS_WANTED[args[2]->ip_ver]/
{
	owners[args[1]->cs_cid].pid = pid; owners[args[1]->cs_cid].command = execname;
}

syscall::accept:return, syscall::accept4:return
/!errno && (!$process || pid == $process) && getf(arg1) != NULL/
{
	this->sock = ((struct socket *)getf(arg1)->private_data)->sk;
	this->common = &this->sock->__sk_common;
	if (this->sock->sk_protocol == IPPROTO_TCP && this->common->skc_state != TCP_STATE_CLOSED &&
	    IS_WANTED[tcp_is_inet6[this->common] ? 6 : 4]) {
		owners[(uintptr_t)this->sock].pid = pid; owners[(uintptr_t)this->sock].command = execname;
		if ($timestamps) printf("%{s}11.6f ", timestamp - begin);
		printf("%-8s %-8d %-16S %-2d %-24s %5d %-24s %5d\n", "accept", pid, execname, tcp_is_inet6[this->common] ? 6 : 4,
		    tcp_local_address[this->common], this->common->skc_num, tcp_remote_address[this->common],
		    tcp_remote_port[this->common]);
	}
}

tcp:::state-change
/owners[args[1]->cs_cid].pid && EVENT[args[5]->tcps_state, args[3]->tcps_state] != ""/
{
	if ($timestamps) printf("%{s}11.6f ", timestamp - begin);
	printf("%-8s %-8d %-16S %-2d %-24s %5d %-24s %5d\n", EVENT[args[5]->tcps_state, args[3]->tcps_state],
	    owners[args[1]->cs_cid].pid, owners[args[1]->cs_cid].command,
	    tcp_is_inet6[&((struct sock *)arg1)->__sk_common] ? 6 : 4, args[3]->tcps_laddr, args[3]->tcps_lport,
	    args[3]->tcps_raddr, args[3]->tcps_rport);
}

tcp:::state-change /IS_LAST[args[3]->tcps_state]/ { owners[args[1]->cs_cid] = 0; }
