#!/usr/sbin/dtrace -s
/* Changes of the state of connections of TCP, and how long each connection was in the state that it leaves. PID is the
   process that runs at this moment, which may be one that an interrupt has interrupted. Source: the provider tcp. */
#pragma D summary changes of the state of connections of TCP
#pragma D flag L local port only those whose own port is this
#pragma D flag D remote port only those whose other port is this
#pragma D flag 4 ipv4 bool only those of IPv4
#pragma D flag 6 ipv6 bool only those of IPv6
#pragma D flag t seconds bool also the seconds since the start
#pragma D flag T timestamps bool also the time of day
#pragma D flag w wide bool wide columns, for long addresses of IPv6
#pragma D flag s csv bool values with commas between them, for other programs
#pragma D example tcpstates -L 80 -- the connections of a web server
#pragma D option quiet
#pragma D option switchrate=10hz

inline int IS_WANTED[uintptr_t s] = $ipv4 == $ipv6 || (tcp_is_inet6[&((struct sock *)s)->__sk_common] ? $ipv6 : $ipv4);

uint64_t since[uint64_t];

BEGIN
{
	begun = timestamp;
	if ($seconds) printf("%-10s ", "TIME(s)");
	if ($timestamps) printf("%-20s ", "TIME");
	printf("%-16s %-8s %-16s ", "SKADDR", "PID", "COMMAND");
	if ($wide) printf("%-39s %5s %-39s %5s ", "LADDR", "LPORT", "RADDR", "RPORT");
	else printf("%-20s %5s %-20s %5s ", "LADDR", "LPORT", "RADDR", "RPORT");
	printf("%-12s %-12s %9s\n", "OLDSTATE", "NEWSTATE", "MS");
}

tcp:::state-change
/(!$local || args[3]->tcps_lport == $local) && (!$remote || args[3]->tcps_rport == $remote) &&
    IS_WANTED[arg1]/
{
	this->ns = since[arg1] ? timestamp - since[arg1] : 0;
	if ($seconds) printf("%{s}-10.3f ", timestamp - begun);
	if ($timestamps) printf("%-20Y ", walltimestamp);
	printf("%-16x %-8d %-16S ", arg1, pid, execname);
	if ($wide) printf("%-39s %5d ", args[3]->tcps_laddr, args[3]->tcps_lport);
	else printf("%-20s %5d ", args[3]->tcps_laddr, args[3]->tcps_lport);
	if ($wide) printf("%-39s %5d ", args[3]->tcps_raddr, args[3]->tcps_rport);
	else printf("%-20s %5d ", args[3]->tcps_raddr, args[3]->tcps_rport);
	printf("%-12s %-12s %{ms}9.3f\n", tcp_state_suffix[args[5]->tcps_state], tcp_state_suffix[args[3]->tcps_state],
	    this->ns);
}

tcp:::state-change
{
	since[arg1] = args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT ? 0 : timestamp;
}
