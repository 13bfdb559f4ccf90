#!/usr/sbin/dtrace -s
/* Resets of TCP, with which one end gives up a connection: the program at the other end gets ECONNRESET or, if it was
   still connecting, ECONNREFUSED. WAY says whether this machine sends or receives it. STATE is that of the connection
   when it is sent; "-" if there is none: no socket listens on the port, or the segment came too late. PID is the
   process that runs at this moment: the one that closes the socket before it has read all or, if a segment is
   answered, often an unrelated one. Source: the providers tcp and ip, for every packet. */
#pragma D summary connections of TCP that are reset or refused, and by which end
#pragma D flag L local port only those whose own port is this
#pragma D flag D remote port only those whose other port is this
#pragma D flag s sent bool only those that this machine sends
#pragma D flag r received bool only those that this machine receives
#pragma D flag c count bool the number by ends, not by port of the client, until Ctrl-C
#pragma D flag K kernel bool also the stack of the kernel; not with -c
#pragma D example tcpreset -L 80 -- which connections of a web server
#pragma D example tcpreset -s -K -- why does this machine send them: __tcp_close is a close before all is read
#pragma D option quiet
#pragma D option switchrate=10hz

inline int IS_WANTED[int is_send] = $sent == $received || (is_send ? $sent : $received);

BEGIN
{
	if ($count && $kernel) { printf("tcpreset: -c counts, and -K shows the stack of each\n"); exit(2); }
	if (!$count) printf("%-20s %-8s %-16s ", "TIME", "PID", "COMMAND");
	printf("%-8s %-24s %5s %-24s %5s %s\n", "WAY", "LADDR", "LPORT", "RADDR", "RPORT", $count ? "COUNT" : "STATE");
}

tcp:::send, tcp:::receive
/(args[4]->tcp_flags & TH_RST) && IS_WANTED[probename == "send"]/
{
	this->is_send = probename == "send";
	this->lport = this->is_send ? args[4]->tcp_sport : args[4]->tcp_dport;
	this->rport = this->is_send ? args[4]->tcp_dport : args[4]->tcp_sport;
	this->is_shown = (!$local || this->lport == $local) && (!$remote || this->rport == $remote);
}

tcp:::send, tcp:::receive
/this->is_shown/
{
	this->laddr = this->is_send ? args[2]->ip_saddr : args[2]->ip_daddr;
	this->raddr = this->is_send ? args[2]->ip_daddr : args[2]->ip_saddr;
	/* The port that a client has is chosen by its kernel, and above that of the server. */
	if ($count)
		@[this->is_send ? "send" : "receive", this->laddr, this->lport > this->rport ? 0 : this->lport, this->raddr,
		    this->rport > this->lport ? 0 : this->rport] = count();
	else
		printf("%-20Y %-8d %-16S %-8s %-24s %5d %-24s %5d %s\n", walltimestamp, pid, execname, probename, this->laddr,
		    this->lport, this->raddr, this->rport, args[3]->tcps_state < TCP_STATE_ESTABLISHED ||
		    args[3]->tcps_state > TCP_STATE_IDLE ? "-" : tcp_state_string[args[3]->tcps_state]);
}
tcp:::send, tcp:::receive /this->is_shown && $kernel/ { stack(); }

END { printa("%-8s %-24s %5d %-24s %5d %@d\n", @); }
