#!/usr/sbin/dtrace -s
/* Connections of TCP that have ended: whose, between whom, the bytes that were acknowledged and received, how long. */
#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN { printf("PID      COMMAND          LADDR           LPORT RADDR           RPORT        SENT    RECEIVED        US\n"); }
tcp:::state-change /args[3]->tcps_state < TCP_STATE_FIN_WAIT_1/ { born[arg1] = timestamp; }

/* Who asks for a connection, or closes after the other end, runs now; when all is over, an interrupt may. */
tcp:::state-change /args[3]->tcps_state == TCP_STATE_SYN_SENT || args[3]->tcps_state == TCP_STATE_LAST_ACK/
{ of[arg1] = born[arg1] ? pid : 0; by[arg1] = execname; }

tcp:::state-change /args[3]->tcps_state == TCP_STATE_CLOSED && born[arg1]/
{
	printf("%-8d %-16s %-15s %5d %-15s %5d %11d %11d %9d\n", of[arg1] ? of[arg1] : pid, of[arg1] ? by[arg1] : execname,
	    args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, ((struct tcp_sock *)arg1)->
	    bytes_acked, ((struct tcp_sock *)arg1)->bytes_received, (timestamp - born[arg1]) / 1000);
	born[arg1] = 0; of[arg1] = 0; by[arg1] = 0; }
