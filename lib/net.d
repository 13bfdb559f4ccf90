/*
 * Protocols, and what is known of TCP.
 */

/* Families of addresses, and kinds of network interfaces: for inet_ntop(), link_ntop() and scripts. */
inline int AF_UNSPEC = 0;
inline int AF_UNIX = 1;
inline int AF_LOCAL = 1;
inline int AF_INET = 2;
inline int AF_INET6 = 10;
inline int AF_NETLINK = 16;
inline int AF_PACKET = 17;
inline int AF_VSOCK = 40;
inline int SOCK_STREAM = 1;
inline int SOCK_DGRAM = 2;
inline int SOCK_RAW = 3;
inline int SOCK_SEQPACKET = 5;
inline int ARPHRD_ETHER = 1;
inline int ARPHRD_INFINIBAND = 32;
inline int ARPHRD_PPP = 512;
inline int ARPHRD_TUNNEL = 768;
inline int ARPHRD_TUNNEL6 = 769;
inline int ARPHRD_LOOPBACK = 772;
inline int ARPHRD_IEEE80211 = 801;
inline int ARPHRD_NONE = 0xfffe;

/* Link types of captures, for pcap(). */
inline int PCAP_ETHER = 1;
inline int PCAP_PPP = 9;
inline int PCAP_IP = 101;
inline int PCAP_WIFI = 105;
inline int PCAP_IPNET = 226;
inline int PCAP_IPOIB = 242;

inline int IPPROTO_IP = 0;
inline int IPPROTO_HOPOPTS = 0;
inline int IPPROTO_ICMP = 1;
inline int IPPROTO_IGMP = 2;
inline int IPPROTO_IPIP = 4;
inline int IPPROTO_TCP = 6;
inline int IPPROTO_EGP = 8;
inline int IPPROTO_PUP = 12;
inline int IPPROTO_UDP = 17;
inline int IPPROTO_IDP = 22;
inline int IPPROTO_IPV6 = 41;
inline int IPPROTO_ROUTING = 43;
inline int IPPROTO_FRAGMENT = 44;
inline int IPPROTO_RSVP = 46;
inline int IPPROTO_GRE = 47;
inline int IPPROTO_ESP = 50;
inline int IPPROTO_AH = 51;
inline int IPPROTO_ICMPV6 = 58;
inline int IPPROTO_NONE = 59;
inline int IPPROTO_DSTOPTS = 60;
inline int IPPROTO_OSPF = 89;
inline int IPPROTO_ENCAP = 98;
inline int IPPROTO_PIM = 103;
inline int IPPROTO_SCTP = 132;
inline int IPPROTO_UDPLITE = 136;
inline int IPPROTO_RAW = 255;

/* Flags of a TCP header: tcp_flags. */
inline int TH_FIN = 0x01;
inline int TH_SYN = 0x02;
inline int TH_RST = 0x04;
inline int TH_PUSH = 0x08;
inline int TH_ACK = 0x10;
inline int TH_URG = 0x20;
inline int TH_ECE = 0x40;
inline int TH_CWR = 0x80;
inline int TH_ECN = 0x40;

/* States of a TCP connection, in the numbers of the kernel: tcps_state. */
inline int TCP_STATE_CLOSED = 7;
inline int TCP_STATE_LISTEN = 10;
inline int TCP_STATE_SYN_SENT = 2;
inline int TCP_STATE_SYN_RECEIVED = 3;
inline int TCP_STATE_ESTABLISHED = 1;
inline int TCP_STATE_CLOSE_WAIT = 8;
inline int TCP_STATE_FIN_WAIT_1 = 4;
inline int TCP_STATE_CLOSING = 11;
inline int TCP_STATE_LAST_ACK = 9;
inline int TCP_STATE_FIN_WAIT_2 = 5;
inline int TCP_STATE_TIME_WAIT = 6;
inline int TCP_STATE_BOUND = 13;
inline int TCP_STATE_IDLE = 14;		/* of other kernels: no connection is in it here */

/* The same under the names of other kernels. */
inline int TCPS_CLOSED = TCP_STATE_CLOSED;
inline int TCPS_IDLE = TCP_STATE_IDLE;
inline int TCPS_BOUND = TCP_STATE_BOUND;
inline int TCPS_LISTEN = TCP_STATE_LISTEN;
inline int TCPS_SYN_SENT = TCP_STATE_SYN_SENT;
inline int TCPS_SYN_RCVD = TCP_STATE_SYN_RECEIVED;
inline int TCPS_SYN_RECEIVED = TCP_STATE_SYN_RECEIVED;
inline int TCPS_ESTABLISHED = TCP_STATE_ESTABLISHED;
inline int TCPS_CLOSE_WAIT = TCP_STATE_CLOSE_WAIT;
inline int TCPS_FIN_WAIT_1 = TCP_STATE_FIN_WAIT_1;
inline int TCPS_FIN_WAIT_2 = TCP_STATE_FIN_WAIT_2;
inline int TCPS_CLOSING = TCP_STATE_CLOSING;
inline int TCPS_LAST_ACK = TCP_STATE_LAST_ACK;
inline int TCPS_TIME_WAIT = TCP_STATE_TIME_WAIT;

/*
 * Joined: whatever the state is, the verifier then sees one string, and need not
 * follow what comes after for each of them. Two names in one clause took it 30 ms.
 */
inline string tcp_state_suffix[int32_t state] =
strjoin(state == TCP_STATE_CLOSED ? "closed" :
	state == TCP_STATE_LISTEN ? "listen" :
	state == TCP_STATE_SYN_SENT ? "syn-sent" :
	state == TCP_STATE_SYN_RECEIVED ? "syn-received" :
	state == TCP_STATE_ESTABLISHED ? "established" :
	state == TCP_STATE_CLOSE_WAIT ? "close-wait" :
	state == TCP_STATE_FIN_WAIT_1 ? "fin-wait-1" :
	state == TCP_STATE_CLOSING ? "closing" :
	state == TCP_STATE_LAST_ACK ? "last-ack" :
	state == TCP_STATE_FIN_WAIT_2 ? "fin-wait-2" :
	state == TCP_STATE_TIME_WAIT ? "time-wait" :
	state == 12 ? "syn-received" :
	state == TCP_STATE_BOUND ? "bound" :
	state == TCP_STATE_IDLE ? "idle" :
	"", "");

inline string tcp_state_string[int32_t state] =
	state < TCP_STATE_ESTABLISHED || state > TCP_STATE_IDLE ? "<unknown>" :
	strjoin("state-", tcp_state_suffix[state]);

/*
 * The arguments of tcp's probes but send and receive, which are in tcp.d. They
 * pass, as arg0 to arg7: the packet, the socket, the packet's IP header, its TCP
 * header, the state from now on, the state before, which segment they are about,
 * and the socket or else the packet.
 */

/* arg6. */
inline int tcp_segment_is_syn = 1;
inline int tcp_segment_is_syn_ack = 2;
inline int tcp_segment_is_ack = 3;
inline int tcp_segment_is_reset_received = 4;
inline int tcp_segment_is_reset_sent = 5;
inline int tcp_segment_is_any_sent = 6;
inline int tcp_segment_is_any_received = 7;

struct tcp_connection {
	struct tcp_sock tcp;
};
struct tcp_segment {
	struct sock_common socket;
};

typedef struct pktinfo {
	uintptr_t pkt_addr;
} pktinfo_t;

translator pktinfo_t < struct sk_buff *P > {
	pkt_addr = (uintptr_t)P;
};

typedef struct csinfo {
	uintptr_t cs_addr;
	uint64_t cs_cid;
	pid_t cs_pid;
	zoneid_t cs_zoneid;
} csinfo_t;

/* Linux does not keep which process a connection belongs to. */
translator csinfo_t < struct sock *S > {
	cs_addr = (uintptr_t)S;
	cs_cid = (uint64_t)S;
	cs_pid = -1;
	cs_zoneid = 0;
};

/* A socket of IPv6 speaks IPv4 with ::ffff:a.b.c.d. */
inline int tcp_is_inet6[struct sock_common *S] = S->skc_family == 10 &&	/* AF_INET6 */
    !(S->skc_v6_daddr.in6_u.u6_addr32[0] == 0 &&
    S->skc_v6_daddr.in6_u.u6_addr32[1] == 0 &&
    S->skc_v6_daddr.in6_u.u6_addr32[2] == htonl(0xffff));

inline string tcp_local_address[struct sock_common *S] = tcp_is_inet6[S] ?
    inet_ntoa6(&S->skc_v6_rcv_saddr) : inet_ntoa((ipaddr_t *)&S->skc_rcv_saddr);
inline string tcp_remote_address[struct sock_common *S] = tcp_is_inet6[S] ?
    inet_ntoa6(&S->skc_v6_daddr) : inet_ntoa((ipaddr_t *)&S->skc_daddr);
/* It is in skc_num, too, but not while the socket is closed. */
inline uint16_t tcp_local_port[struct sock_common *S] = ntohs(((struct inet_sock *)S)->inet_sport);
inline uint16_t tcp_remote_port[struct sock_common *S] = ntohs(S->skc_dport);

inline int tcp_is_received = arg6 == tcp_segment_is_syn_ack || arg6 == tcp_segment_is_ack ||
    arg6 == tcp_segment_is_reset_received;

typedef struct ipinfo {
	uint8_t ip_ver;
	uint32_t ip_plength;
	string ip_saddr;
	string ip_daddr;
} ipinfo_t;

/* A reset goes back to where the segment that it answers came from. */
inline uint8_t tcp_answered_version = *(uint8_t *)arg2 >> 4;

translator ipinfo_t < struct tcp_segment *G > {
	ip_ver = arg6 == tcp_segment_is_reset_sent ? tcp_answered_version :
	    tcp_is_inet6[&G->socket] ? 6 : 4;
	ip_plength = arg6 == tcp_segment_is_reset_sent ? sizeof (struct tcphdr) : 0;
	ip_saddr = arg6 == tcp_segment_is_reset_sent ? (tcp_answered_version == 6 ?
	    inet_ntoa6(&((struct ipv6hdr *)arg2)->daddr) :
	    inet_ntoa((ipaddr_t *)&((struct iphdr *)arg2)->daddr)) :
	    tcp_is_received ? tcp_remote_address[&G->socket] : tcp_local_address[&G->socket];
	ip_daddr = arg6 == tcp_segment_is_reset_sent ? (tcp_answered_version == 6 ?
	    inet_ntoa6(&((struct ipv6hdr *)arg2)->saddr) :
	    inet_ntoa((ipaddr_t *)&((struct iphdr *)arg2)->saddr)) :
	    tcp_is_received ? tcp_local_address[&G->socket] : tcp_remote_address[&G->socket];
};

typedef struct tcpinfo {
	uint16_t tcp_sport;
	uint16_t tcp_dport;
	uint32_t tcp_seq;
	uint32_t tcp_ack;
	uint8_t tcp_offset;
	uint8_t tcp_flags;
	uint16_t tcp_window;
	uint16_t tcp_checksum;
	uint16_t tcp_urgent;
	uintptr_t tcp_hdr;
} tcpinfo_t;

inline struct tcphdr *tcp_answered = (struct tcphdr *)arg3;
/* The bytes of the packet from its TCP header on. */
inline uint32_t tcp_answered_length[struct sk_buff *P] =
    P->len - (uint32_t)(arg3 - (int64_t)P->data);

translator tcpinfo_t < struct tcp_segment *G > {
	tcp_sport = arg6 == tcp_segment_is_reset_sent ? ntohs(tcp_answered->dest) :
	    tcp_is_received ? tcp_remote_port[&G->socket] : tcp_local_port[&G->socket];
	tcp_dport = arg6 == tcp_segment_is_reset_sent ? ntohs(tcp_answered->source) :
	    tcp_is_received ? tcp_local_port[&G->socket] : tcp_remote_port[&G->socket];
	tcp_seq = arg6 == tcp_segment_is_syn_ack ? ((struct tcp_sock *)G)->rcv_nxt - 1 :
	    arg6 == tcp_segment_is_ack ? ((struct tcp_sock *)G)->rcv_nxt : 0;
	tcp_ack = arg6 == tcp_segment_is_syn_ack || arg6 == tcp_segment_is_ack ?
	    ((struct tcp_sock *)G)->snd_una :
	    arg6 == tcp_segment_is_reset_sent ? ntohl(tcp_answered->seq) + 1 + tcp_answered->fin +
	    tcp_answered_length[(struct sk_buff *)arg0] - (tcp_answered->doff << 2) : 0;
	tcp_offset = arg6 == tcp_segment_is_reset_sent ? sizeof (struct tcphdr) : 0;
	tcp_flags = arg6 == tcp_segment_is_syn ? TH_SYN :
	    arg6 == tcp_segment_is_syn_ack ? TH_SYN | TH_ACK :
	    arg6 == tcp_segment_is_ack ? TH_ACK : TH_RST | TH_ACK;
	tcp_window = 0;
	tcp_checksum = 0;
	tcp_urgent = 0;
	tcp_hdr = 0;
};

typedef struct tcpsinfo {
	uintptr_t tcps_addr;
	int tcps_local;
	int tcps_active;
	uint16_t tcps_lport;
	uint16_t tcps_rport;
	string tcps_laddr;
	string tcps_raddr;
	int32_t tcps_state;
	uint32_t tcps_iss;
	uint32_t tcps_suna;
	uint32_t tcps_snxt;
	uint32_t tcps_rack;
	uint32_t tcps_rnxt;
	uint32_t tcps_swnd;
	int32_t tcps_snd_ws;
	uint32_t tcps_rwnd;
	int32_t tcps_rcv_ws;
	uint32_t tcps_cwnd;
	uint32_t tcps_cwnd_ssthresh;
	uint32_t tcps_srtt;
	uint32_t tcps_sack_fack;
	uint32_t tcps_sack_snxt;
	uint32_t tcps_rto;
	uint32_t tcps_mss;
	int tcps_retransmit;
} tcpsinfo_t;

inline struct sock_common *tcp_common[struct tcp_connection *C] = (struct sock_common *)C;

/* Both ends have one address, or the remote one is a loopback address. */
inline int tcp_is_local[struct sock_common *S] = tcp_is_inet6[S] ?
    S->skc_v6_daddr.in6_u.u6_addr32[0] == S->skc_v6_rcv_saddr.in6_u.u6_addr32[0] &&
    S->skc_v6_daddr.in6_u.u6_addr32[1] == S->skc_v6_rcv_saddr.in6_u.u6_addr32[1] &&
    S->skc_v6_daddr.in6_u.u6_addr32[2] == S->skc_v6_rcv_saddr.in6_u.u6_addr32[2] &&
    S->skc_v6_daddr.in6_u.u6_addr32[3] == S->skc_v6_rcv_saddr.in6_u.u6_addr32[3] :
    S->skc_daddr == S->skc_rcv_saddr || (S->skc_daddr & 0xff) == 127;

/* The time to the next retransmission in ms, as the kernel computes it of the same numbers. */
inline uint32_t tcp_rto_ms[struct tcp_connection *C] =
    (C->tcp.srtt_us == 0 ? 1000 : ((C->tcp.srtt_us >> 3) + C->tcp.rttvar_us) / 1000)
    << C->tcp.inet_conn.icsk_backoff;

/*
 * Linux forgets the initial sequence number, and who asked for a connection once
 * it is there; a window's size is in segments there, and in bytes here.
 */
translator tcpsinfo_t < struct tcp_connection *C > {
	tcps_addr = (uintptr_t)C;
	tcps_local = tcp_is_local[tcp_common[C]];
	tcps_active = arg6 == tcp_segment_is_syn || arg6 == tcp_segment_is_syn_ack ||
	    arg6 == tcp_segment_is_reset_received ? 1 : arg6 == tcp_segment_is_ack ? 0 : -1;
	tcps_lport = tcp_local_port[tcp_common[C]];
	tcps_rport = tcp_remote_port[tcp_common[C]];
	tcps_laddr = tcp_local_address[tcp_common[C]];
	tcps_raddr = tcp_remote_address[tcp_common[C]];
	tcps_state = arg4;
	tcps_iss = 0;
	tcps_suna = C->tcp.snd_una;
	tcps_snxt = C->tcp.snd_nxt;
	tcps_rack = C->tcp.rcv_wup;
	tcps_rnxt = C->tcp.rcv_nxt;
	tcps_swnd = C->tcp.snd_wnd;
	tcps_snd_ws = C->tcp.rx_opt.snd_wscale;
	tcps_rwnd = C->tcp.rcv_wnd;
	tcps_rcv_ws = C->tcp.rx_opt.rcv_wscale;
	tcps_cwnd = C->tcp.snd_cwnd * C->tcp.mss_cache;
	tcps_cwnd_ssthresh = C->tcp.snd_ssthresh >= 0x7fffffff ? 0x7fffffff :
	    C->tcp.snd_ssthresh * C->tcp.mss_cache;
	tcps_srtt = C->tcp.srtt_us >> 3;
	tcps_sack_fack = C->tcp.sacked_out == 0 ? C->tcp.snd_una :
	    C->tcp.highest_sack == NULL ? C->tcp.snd_nxt :
	    ((struct tcp_skb_cb *)&C->tcp.highest_sack->cb[0])->seq;
	tcps_sack_snxt = C->tcp.retransmit_skb_hint == NULL ? C->tcp.snd_una :
	    ((struct tcp_skb_cb *)&C->tcp.retransmit_skb_hint->cb[0])->seq;
	tcps_rto = tcp_rto_ms[C];
	tcps_mss = C->tcp.mss_cache;
	tcps_retransmit = 0;
};

typedef struct tcplsinfo {
	int32_t tcps_state;
} tcplsinfo_t;

translator tcplsinfo_t < struct tcp_connection *C > {
	tcps_state = arg5;
};
