#!/usr/sbin/dtrace -s
/* How long programs wait until connections of TCP are established, or refused: from the SYN until its answer.
   Source: the provider tcp. */
#pragma D summary how long it takes to establish connections of TCP
#pragma D flag p process process only those of this process
#pragma D flag P port port only those to this port
#pragma D flag 4 ipv4 bool only those of IPv4
#pragma D flag 6 ipv6 bool only those of IPv6
#pragma D flag L local bool also the own port
#pragma D flag t timestamps bool also the time of day
#pragma D argument least uint only those that take at least this many milliseconds
#pragma D example tcpconnlat 100 -- connections that take 100 ms or more
#pragma D option quiet
#pragma D option switchrate=10hz

inline int IS_WANTED[int version] = $ipv4 == $ipv6 || (version == 6 ? $ipv6 : $ipv4);

BEGIN
{
	if ($timestamps) printf("%-20s ", "TIME");
	printf("%-8s %-16s %-2s %-24s ", "PID", "COMMAND", "IP", "LADDR");
	if ($local) printf("%5s ", "LPORT");
	printf("%-24s %5s %9s %s\n", "RADDR", "RPORT", "LAT(ms)", "RESULT");
}

/* The answer comes in an interrupt, so the process is that of the request. arg1 identifies the connection. */
tcp:::connect-request
/(!$process || pid == $process) && IS_WANTED[args[2]->ip_ver]/
{
	from[arg1] = timestamp;
	by[arg1] = execname;
	process[arg1] = pid;
}

tcp:::connect-established, tcp:::connect-refused
/from[arg1] && (!$port || args[4]->tcp_sport == $port)/
{
	this->ns = timestamp - from[arg1];
	if (this->ns >= $least * 1000000) {
		if ($timestamps) printf("%-20Y ", walltimestamp);
		printf("%-8d %-16S %-2d %-24s ", process[arg1], by[arg1], args[2]->ip_ver, args[2]->ip_daddr);
		if ($local) printf("%5d ", args[4]->tcp_dport);
		printf("%-24s %5d %{ms}9.3f %s\n", args[2]->ip_saddr, args[4]->tcp_sport, this->ns,
		    probename == "connect-refused" ? "refused" : "established");
	}
}

/* When it is given up, too. */
tcp:::connect-established { from[arg1] = 0; by[arg1] = 0; process[arg1] = 0; }
tcp:::state-change /args[3]->tcps_state == TCP_STATE_CLOSED/ { from[arg1] = 0; by[arg1] = 0; process[arg1] = 0; }
