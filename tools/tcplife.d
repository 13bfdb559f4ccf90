#!/usr/sbin/dtrace -s
/* Connections of TCP that have ended: whose, between which ends, the bytes of data that they sent and received, and
   how long they lasted. Source: the provider tcp, and the counters of the kernel's struct tcp_sock. */
#pragma D summary connections of TCP that have ended: process, ends, bytes, duration
#pragma D flag p process process only those of this process
#pragma D flag L local port only those whose own port is this
#pragma D flag D remote port only those whose other port is this
#pragma D flag 4 ipv4 bool only those of IPv4
#pragma D flag 6 ipv6 bool only those of IPv6
#pragma D flag t seconds bool also the seconds since the start
#pragma D flag T timestamps bool also the time of day
#pragma D flag w wide bool wide columns, for long addresses of IPv6
#pragma D flag s csv bool values with commas between them, for other programs
#pragma D example tcplife -D 443 -- connections to TLS servers
#pragma D option quiet
#pragma D option switchrate=10hz

/* The kernel counts the other end's FIN as a byte; SOCK_DONE, the second of enum sock_flags, says that it has come. */
inline int HAS_FIN[uintptr_t sock] = ((struct sock *)sock)->__sk_common.skc_flags >> SOCK_DONE & 1;
inline int IS_WANTED[uintptr_t s] = $ipv4 == $ipv6 || (tcp_is_inet6[&((struct sock *)s)->__sk_common] ? $ipv6 : $ipv4);
inline int ENDED[int state] = state == TCP_STATE_CLOSED || state == TCP_STATE_TIME_WAIT;	/* nothing comes behind it */
inline int IS_BY_PROCESS[int state] = state == TCP_STATE_SYN_SENT || state == TCP_STATE_FIN_WAIT_1 ||
    state == TCP_STATE_LAST_ACK;

BEGIN
{
	begun = timestamp;
	if ($seconds) printf("%-10s ", "TIME(s)");
	if ($timestamps) printf("%-20s ", "TIME");
	printf("%-8s %-16s ", "PID", "COMMAND");
	if ($wide) printf("%-39s %5s %-39s %5s ", "LADDR", "LPORT", "RADDR", "RPORT");
	else printf("%-15s %5s %-15s %5s ", "LADDR", "LPORT", "RADDR", "RPORT");
	printf("%11s %11s %9s\n", "SENT", "RECEIVED", "US");
}

tcp:::state-change /args[3]->tcps_state < TCP_STATE_FIN_WAIT_1/ { born[arg1] = timestamp; }

/* The process that asks for a connection, or closes it, runs now; at the end, an interrupt may. */
tcp:::state-change /IS_BY_PROCESS[args[3]->tcps_state]/ { of[arg1] = born[arg1] ? pid : 0; by[arg1] = execname; }

tcp:::state-change
/ENDED[args[3]->tcps_state] && born[arg1] && IS_WANTED[arg1] &&
    (!$process || (of[arg1] ? of[arg1] : pid) == $process) && (!$local || args[3]->tcps_lport == $local) &&
    (!$remote || args[3]->tcps_rport == $remote)/
{
	this->tcp = (struct tcp_sock *)arg1;
	if ($seconds) printf("%{s}-10.3f ", timestamp - begun);
	if ($timestamps) printf("%-20Y ", walltimestamp);
	printf("%-8d %-16S ", of[arg1] ? of[arg1] : pid, of[arg1] ? by[arg1] : execname);
	if ($wide) printf("%-39s %5d ", args[3]->tcps_laddr, args[3]->tcps_lport);
	else printf("%-15s %5d ", args[3]->tcps_laddr, args[3]->tcps_lport);
	if ($wide) printf("%-39s %5d ", args[3]->tcps_raddr, args[3]->tcps_rport);
	else printf("%-15s %5d ", args[3]->tcps_raddr, args[3]->tcps_rport);
	printf("%11d %11d %9d\n", this->tcp->bytes_sent - this->tcp->bytes_retrans,
	    this->tcp->bytes_received - HAS_FIN[arg1], (timestamp - born[arg1]) / 1000);
}

tcp:::state-change /ENDED[args[3]->tcps_state]/ { born[arg1] = 0; of[arg1] = 0; by[arg1] = 0; }
