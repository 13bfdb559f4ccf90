#!/usr/sbin/dtrace -s
/* Segments of TCP that are sent again: between which ends, and in which state the connection is; with -c, how many by
   connection. If the answer to a SYN is sent again, the state is shown as state-syn-received. PID is the process that
   runs at this moment: often an unrelated one, because a timer or an interrupt sends the segment. With -l, WHY is
   timeout, fast (the other end reports that data is missing) or probe (the last segment, early).
   Source: the tracepoints tcp_retransmit_skb and tcp_retransmit_synack. */
#pragma D summary segments of TCP that are sent again
#pragma D flag c count bool the number by connection, until Ctrl-C
#pragma D flag 4 ipv4 bool only those of IPv4
#pragma D flag 6 ipv6 bool only those of IPv6
#pragma D flag l loss bool also why it is sent again; not with -c
#pragma D flag s sequence bool also the sequence number of the segment; not with -c
#pragma D flag P port port only those to this port of the other end
#pragma D example tcpretrans -c -- which connections lose segments
#pragma D option quiet
#pragma D option switchrate=10hz

inline string WHY[int state] = state == `TCP_CA_Loss ? "timeout" : state == `TCP_CA_Recovery ? "fast" : "probe";
inline int MORE = $loss || $sequence;
inline int IS_WANTED[int version] = $ipv4 == $ipv6 || (version == 6 ? $ipv6 : $ipv4);

BEGIN
{
	if ($count && MORE) { printf("tcpretrans: -c shows connections, and -l and -s single segments\n"); exit(2); }
	if (!$count) printf("%-20s %-8s ", "TIME", "PID");
	printf("%-24s %5s %-24s %5s ", "LADDR", "LPORT", "RADDR", "RPORT");
	if ($count || MORE) printf("%-18s", "STATE"); else printf("STATE");
	if ($count) printf(" COUNT"); if ($sequence) printf(" %10s", "SEQ"); if ($loss) printf(" WHY"); printf("\n");
}

sdt:tcp::tcp_retransmit_skb
{
	this->common = &((struct sock *)arg0)->__sk_common; this->lport = this->common->skc_num;
	this->state = tcp_state_string[this->common->skc_state];
	this->why = WHY[((struct inet_connection_sock *)arg0)->icsk_ca_state];
	this->sequence = ((struct tcp_skb_cb *)((struct sk_buff *)arg1)->cb)->seq;
}

sdt:tcp::tcp_retransmit_synack
{
	this->common = (struct sock_common *)arg1;	/* the request is not yet a connection */
	this->state = "state-syn-received"; this->why = "timeout"; this->lport = this->common->skc_num;
	this->sequence = ((struct tcp_request_sock *)arg1)->snt_isn;
}

sdt:tcp::tcp_retransmit_skb, sdt:tcp::tcp_retransmit_synack
/(!$port || tcp_remote_port[this->common] == $port) && IS_WANTED[tcp_is_inet6[this->common] ? 6 : 4]/
{
	if ($count)
		@[tcp_local_address[this->common], this->lport, tcp_remote_address[this->common],
		    tcp_remote_port[this->common], this->state] = count();
	else
		printf("%-20Y %-8d %-24s %5d %-24s %5d ", walltimestamp, pid, tcp_local_address[this->common],
		    this->lport, tcp_remote_address[this->common], tcp_remote_port[this->common]);
	if (!$count && MORE) printf("%-18s", this->state); else if (!$count) printf("%s", this->state);
	if (!$count && $sequence) printf(" %10u", this->sequence); if (!$count && $loss) printf(" %s", this->why);
	if (!$count) printf("\n");
}

END { printa("%-24s %5d %-24s %5d %-18s %@d\n", @); }
