/*
 * Datagrams: the arguments of udp's probes. pktinfo_t and csinfo_t are in net.d, ipinfo_t of
 * packets in ip.d. They pass, as arg0 to arg4: the packet, the socket, the packet's IP header, its UDP
 * header, and whether it is sent.
 */

typedef struct udpinfo {
	uint16_t udp_sport;
	uint16_t udp_dport;
	uint16_t udp_length;
	uint16_t udp_checksum;
	struct udphdr *udp_hdr;
} udpinfo_t;

translator udpinfo_t < struct udphdr *H > {
	udp_sport = ntohs(H->source);
	udp_dport = ntohs(H->dest);
	udp_length = ntohs(H->len);
	udp_checksum = ntohs(H->check);
	udp_hdr = H;
};

typedef struct udpsinfo {
	uintptr_t udps_addr;
	uint16_t udps_lport;
	uint16_t udps_rport;
	string udps_laddr;
	string udps_raddr;
} udpsinfo_t;

inline struct udphdr *udp_header = (struct udphdr *)arg3;
inline int udp_is_sent = arg4;

/* This end is where what is sent comes from, and where what has come goes to. */
translator udpsinfo_t < struct ip_packet *P > {
	udps_addr = (uintptr_t)arg1;
	udps_lport = ntohs(udp_is_sent ? udp_header->source : udp_header->dest);
	udps_rport = ntohs(udp_is_sent ? udp_header->dest : udp_header->source);
	udps_laddr = udp_is_sent ? ip_source[P] : ip_target[P];
	udps_raddr = udp_is_sent ? ip_target[P] : ip_source[P];
};
