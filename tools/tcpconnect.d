#!/usr/sbin/dtrace -s
/* Connections of TCP that processes ask for, as they do it, even if the connection fails. With -c, how many there were
   until Ctrl-C. Source: the provider tcp. */
#pragma D summary connections of TCP that processes ask for
#pragma D flag p process process only those of this process
#pragma D flag P port port only those to this port
#pragma D flag 4 ipv4 bool only those of IPv4
#pragma D flag 6 ipv6 bool only those of IPv6
#pragma D flag u user user=-1 only those of this user
#pragma D flag U users bool also the user
#pragma D flag t timestamps bool also the time of day
#pragma D flag c count bool the number of connections by their ends, until Ctrl-C
#pragma D example tcpconnect -P 443 -U -- who uses TLS servers
#pragma D example tcpconnect -c -- which servers are asked most
#pragma D option quiet
#pragma D option switchrate=10hz

inline int IS_WANTED[int version] = (!$ipv4 && !$ipv6) || (version == 6 ? $ipv6 : $ipv4);

BEGIN
{
	if ($timestamps && !$count) printf("%-20s ", "TIME");
	if ($users && !$count) printf("%-6s ", "UID");
	if ($count)
		printf("%-24s %-24s %-6s %8s\n", "LADDR", "RADDR", "RPORT", "COUNT");
	else
		printf("%-8s %-16s %-2s %-24s %-24s %s\n", "PID", "COMMAND", "IP", "LADDR", "RADDR", "RPORT");
}

tcp:::connect-request
/!$count && (!$process || pid == $process) && (!$port || args[4]->tcp_dport == $port) && ($user < 0 || uid == $user) &&
    IS_WANTED[args[2]->ip_ver]/
{
	if ($timestamps) printf("%-20Y ", walltimestamp);
	if ($users) printf("%-6d ", uid);
	printf("%-8d %-16S %-2d %-24s %-24s %d\n", pid, execname, args[2]->ip_ver,
	    args[2]->ip_saddr, args[2]->ip_daddr, args[4]->tcp_dport);
}

tcp:::connect-request
/$count && (!$process || pid == $process) && (!$port || args[4]->tcp_dport == $port) && ($user < 0 || uid == $user) &&
    IS_WANTED[args[2]->ip_ver]/
{
	@[args[2]->ip_saddr, args[2]->ip_daddr, args[4]->tcp_dport] = count();
}

END { printa("%-24s %-24s %-6d %@8d\n", @); }
