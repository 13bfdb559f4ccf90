#!/usr/sbin/dtrace -s
/* Connections of TCP that processes ask for, as they do, whatever becomes of them. */
#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN { printf("%-8s %-16s %-2s %-24s %-24s %s\n", "PID", "COMMAND", "IP", "LADDR", "RADDR", "RPORT"); }

tcp:::connect-request
{
	printf("%-8d %-16s %-2d %-24s %-24s %d\n", pid, execname, args[2]->ip_ver,
	    args[2]->ip_saddr, args[2]->ip_daddr, args[4]->tcp_dport);
}
