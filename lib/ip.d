/*
 * Packets: the arguments of ip's probes. pktinfo_t, csinfo_t and ipinfo_t are in net.d.
 */

/* What a packet of either version begins with. */
struct ip_packet {
	struct iphdr ip;
};

inline uint8_t ip_version[struct ip_packet *P] = *(uint8_t *)P >> 4;

inline string ip_source[struct ip_packet *P] = ip_version[P] == 6 ?
    inet_ntoa6(&((struct ipv6hdr *)P)->saddr) : inet_ntoa((ipaddr_t *)&P->ip.saddr);
inline string ip_target[struct ip_packet *P] = ip_version[P] == 6 ?
    inet_ntoa6(&((struct ipv6hdr *)P)->daddr) : inet_ntoa((ipaddr_t *)&P->ip.daddr);

/*
 * A packet that is cut or was put together (GSO, GRO) may be longer than its header can say, which then says
 * 0. One of IPv6 may have a header that says it instead, which goes when the packet is cut.
 */
inline uint32_t ip_bytes[struct ip_packet *P] =
    ((struct sk_buff *)arg0)->len - (uint32_t)((uintptr_t)P - (uintptr_t)((struct sk_buff *)arg0)->data);
inline uint32_t ip_bytes6[struct ip_packet *P] = ip_bytes[P] - 40 -
    (((struct ipv6hdr *)P)->nexthdr == 0 ? 8 : 0);

/* Without the header; what IPv6 has between its header and the payload belongs to the payload. */
translator ipinfo_t < struct ip_packet *P > {
	ip_ver = ip_version[P];
	ip_plength = ip_version[P] == 6 ?
	    (((struct ipv6hdr *)P)->payload_len == 0 && ip_bytes[P] > 0xffff ? ip_bytes6[P] :
	    ntohs(((struct ipv6hdr *)P)->payload_len)) :
	    (P->ip.tot_len == 0 ? ip_bytes[P] : ntohs(P->ip.tot_len)) - (P->ip.ihl << 2);
	ip_saddr = ip_source[P];
	ip_daddr = ip_target[P];
};

typedef struct ifinfo {
	string if_name;
	int8_t if_local;
	int32_t if_ipstack;
	uintptr_t if_addr;
} ifinfo_t;

inline int ip_device_is_loopback = 0x8;	/* IFF_LOOPBACK */

translator ifinfo_t < struct net_device *D > {
	if_name = D->name;
	if_local = (D->flags & ip_device_is_loopback) != 0;
	if_ipstack = 0;
	if_addr = (uintptr_t)D;
};

inline string ip_protocol_string[int32_t protocol] =
	protocol == IPPROTO_TCP ? "TCP" :
	protocol == IPPROTO_UDP ? "UDP" :
	protocol == IPPROTO_ICMP ? "ICMP" :
	protocol == IPPROTO_ICMPV6 ? "ICMPV6" :
	protocol == IPPROTO_IGMP ? "IGMP" :
	protocol == IPPROTO_SCTP ? "SCTP" :
	protocol == IPPROTO_GRE ? "GRE" :
	protocol == IPPROTO_ESP ? "ESP" :
	protocol == IPPROTO_AH ? "AH" :
	protocol == IPPROTO_IPIP ? "IPIP" :
	protocol == IPPROTO_IPV6 ? "IPV6" :
	lltostr((uint64_t)protocol);

/* Flags of an IPv4 header: ipv4_flags. */
inline int IPH_DF = 0x4;
inline int IPH_MF = 0x2;

typedef struct ipv4info {
	uint8_t ipv4_ver;
	uint8_t ipv4_ihl;
	uint8_t ipv4_tos;
	uint16_t ipv4_length;
	uint16_t ipv4_ident;
	uint8_t ipv4_flags;
	uint16_t ipv4_offset;
	uint8_t ipv4_ttl;
	uint8_t ipv4_protocol;
	string ipv4_protostr;
	uint16_t ipv4_checksum;
	ipaddr_t ipv4_src;
	ipaddr_t ipv4_dst;
	string ipv4_saddr;
	string ipv4_daddr;
	struct iphdr *ipv4_hdr;
} ipv4info_t;

/* Of a packet of IPv6 it is 0, "<null>" or NULL. */
translator ipv4info_t < struct iphdr *H > {
	ipv4_ver = H == NULL ? 0 : H->version;
	ipv4_ihl = H == NULL ? 0 : H->ihl << 2;
	ipv4_tos = H == NULL ? 0 : H->tos;
	ipv4_length = H == NULL ? 0 : ntohs(H->tot_len);
	ipv4_ident = H == NULL ? 0 : ntohs(H->id);
	ipv4_flags = H == NULL ? 0 : ntohs(H->frag_off) >> 12 & 0xe;
	ipv4_offset = H == NULL ? 0 : (ntohs(H->frag_off) & 0x1fff) << 3;
	ipv4_ttl = H == NULL ? 0 : H->ttl;
	ipv4_protocol = H == NULL ? 0 : H->protocol;
	ipv4_protostr = H == NULL ? "<null>" : ip_protocol_string[H->protocol];
	ipv4_checksum = H == NULL ? 0 : ntohs(H->check);
	ipv4_src = H == NULL ? 0 : H->saddr;
	ipv4_dst = H == NULL ? 0 : H->daddr;
	ipv4_saddr = H == NULL ? "<null>" : inet_ntoa((ipaddr_t *)&H->saddr);
	ipv4_daddr = H == NULL ? "<null>" : inet_ntoa((ipaddr_t *)&H->daddr);
	ipv4_hdr = H;
};

typedef struct ipv6info {
	uint8_t ipv6_ver;
	uint8_t ipv6_tclass;
	uint32_t ipv6_flow;
	uint16_t ipv6_plen;
	uint8_t ipv6_nexthdr;
	string ipv6_nextstr;
	uint8_t ipv6_hlim;
	in6_addr_t *ipv6_src;
	in6_addr_t *ipv6_dst;
	string ipv6_saddr;
	string ipv6_daddr;
	struct ipv6hdr *ipv6_hdr;
} ipv6info_t;

/* The version, the class and the flow are the first word of the header. */
inline uint32_t ip_first_word[struct ipv6hdr *H] = ntohl(*(uint32_t *)H);

/* Of a packet of IPv4 it is 0, "<null>" or NULL. */
translator ipv6info_t < struct ipv6hdr *H > {
	ipv6_ver = H == NULL ? 0 : ip_first_word[H] >> 28;
	ipv6_tclass = H == NULL ? 0 : ip_first_word[H] >> 20 & 0xff;
	ipv6_flow = H == NULL ? 0 : ip_first_word[H] & 0xfffff;
	ipv6_plen = H == NULL ? 0 : ntohs(H->payload_len);
	ipv6_nexthdr = H == NULL ? 0 : H->nexthdr;
	ipv6_nextstr = H == NULL ? "<null>" : ip_protocol_string[H->nexthdr];
	ipv6_hlim = H == NULL ? 0 : H->hop_limit;
	ipv6_src = H == NULL ? NULL : &H->saddr;
	ipv6_dst = H == NULL ? NULL : &H->daddr;
	ipv6_saddr = H == NULL ? "<null>" : inet_ntoa6(&H->saddr);
	ipv6_daddr = H == NULL ? "<null>" : inet_ntoa6(&H->daddr);
	ipv6_hdr = H;
};
