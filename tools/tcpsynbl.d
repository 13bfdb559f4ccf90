#!/usr/sbin/dtrace -s
/* How many connections wait for accept() when another one is made: by port and by the most that may wait, which
   listen() has set. A connection for which there is no room is dropped before that: tcpdrop shows it.
   Source: the tracepoint inet_sock_set_state. The kernel makes a connection as a copy of the socket that listens, whose
   numbers are still in it at this moment. */
#pragma D summary how many connections wait for accept() when another one is made
#pragma D flag l local port only those to this port
#pragma D argument interval period=365d the time between two reports
#pragma D argument count count how many reports
#pragma D example tcpsynbl -l 80 10 1 -- whether a web server accepts soon enough, in ten seconds
#pragma D option quiet

inline int TCP_SYN_RECV = 3;		/* include/net/tcp_states.h */
inline int TCP_LISTEN = 10;

BEGIN { printf("Connections are counted... Ctrl-C ends it.\n"); }

sdt:sock::inet_sock_set_state
/args[1] == TCP_LISTEN && args[2] == TCP_SYN_RECV && (!$local || args[0]->__sk_common.skc_num == $local)/
{
	@[args[0]->__sk_common.skc_num, args[0]->sk_max_ack_backlog] = quantize(args[0]->sk_ack_backlog);
}

tick-$interval, END
/!$count || reports++ < $count/
{
	printf("\n%Y\n", walltimestamp);
	printa("port %u, at most %u may wait%@d\n", @);
	trunc(@);
}
tick-$interval /$count && reports == $count/ { exit(0); }
