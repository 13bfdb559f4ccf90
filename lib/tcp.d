/*
 * Segments at network interfaces: the arguments of tcp:::send and tcp:::receive. Their types are in
 * net.d, with what arg0 to arg7 are; ipinfo_t of packets is in ip.d.
 */

/* Flags are in the byte behind the header's length. */
inline uint8_t tcp_flag_bits[struct tcphdr *H] = *((uint8_t *)H + 13);

translator tcpinfo_t < struct tcphdr *H > {
	tcp_sport = ntohs(H->source);
	tcp_dport = ntohs(H->dest);
	tcp_seq = ntohl(H->seq);
	tcp_ack = ntohl(H->ack_seq);
	tcp_offset = H->doff << 2;
	tcp_flags = tcp_flag_bits[H];
	tcp_window = ntohs(H->window);
	tcp_checksum = ntohs(H->check);
	tcp_urgent = ntohs(H->urg_ptr);
	tcp_hdr = (uintptr_t)H;
};

inline struct tcphdr *tcp_header = (struct tcphdr *)arg3;
inline int tcp_is_any_sent = arg6 == tcp_segment_is_any_sent;
inline struct tcp_connection *tcp_sender = (struct tcp_connection *)arg1;
inline uint32_t tcp_ip_word[struct ip_packet *P, int32_t at] = *(uint32_t *)((uint8_t *)P + at);

/*
 * Whether a segment is sent again: it has data, a SYN or a FIN before the number that comes next. That number goes up
 * when the kernel has passed on what is new, and the count of segments that were sent again before it passes these on.
 */
inline int tcp_is_sent_again = tcp_is_any_sent && arg1 != 0 && tcp_sender->tcp.total_retrans != 0 &&
    (tcp_flag_bits[tcp_header] & (TH_SYN | TH_FIN) ||
    tcp_answered_length[(struct sk_buff *)arg0] > (tcp_header->doff << 2)) &&
    (int32_t)(ntohl(tcp_header->seq) - tcp_sender->tcp.snd_nxt) < 0;

/*
 * This end is where what is sent comes from, and where what has come goes to. What only the connection
 * tells is 0 where it is not known.
 */
translator tcpsinfo_t < struct ip_packet *P > {
	tcps_addr = (uintptr_t)arg1;
	tcps_local = ip_version[P] == 6 ?
	    tcp_ip_word[P, 8] == tcp_ip_word[P, 24] && tcp_ip_word[P, 12] == tcp_ip_word[P, 28] &&
	    tcp_ip_word[P, 16] == tcp_ip_word[P, 32] && tcp_ip_word[P, 20] == tcp_ip_word[P, 36] :
	    P->ip.saddr == P->ip.daddr || (P->ip.daddr & 0xff) == 127;
	tcps_active = arg6 == tcp_segment_is_reset_sent ? 0 : -1;
	tcps_lport = ntohs(tcp_is_any_sent ? tcp_header->source : tcp_header->dest);
	tcps_rport = ntohs(tcp_is_any_sent ? tcp_header->dest : tcp_header->source);
	tcps_laddr = tcp_is_any_sent ? ip_source[P] : ip_target[P];
	tcps_raddr = tcp_is_any_sent ? ip_target[P] : ip_source[P];
	tcps_state = arg4;
	tcps_iss = 0;
	tcps_suna = arg1 == 0 ? 0 : xlate <tcpsinfo_t> (tcp_sender).tcps_suna;
	tcps_snxt = arg1 == 0 ? 0 : xlate <tcpsinfo_t> (tcp_sender).tcps_snxt;
	tcps_rack = arg1 == 0 ? 0 : xlate <tcpsinfo_t> (tcp_sender).tcps_rack;
	tcps_rnxt = arg1 == 0 ? 0 : xlate <tcpsinfo_t> (tcp_sender).tcps_rnxt;
	tcps_swnd = arg1 == 0 ? 0 : xlate <tcpsinfo_t> (tcp_sender).tcps_swnd;
	tcps_snd_ws = arg1 == 0 ? 0 : xlate <tcpsinfo_t> (tcp_sender).tcps_snd_ws;
	tcps_rwnd = arg1 == 0 ? 0 : xlate <tcpsinfo_t> (tcp_sender).tcps_rwnd;
	tcps_rcv_ws = arg1 == 0 ? 0 : xlate <tcpsinfo_t> (tcp_sender).tcps_rcv_ws;
	tcps_cwnd = arg1 == 0 ? 0 : xlate <tcpsinfo_t> (tcp_sender).tcps_cwnd;
	tcps_cwnd_ssthresh = arg1 == 0 ? 0 : xlate <tcpsinfo_t> (tcp_sender).tcps_cwnd_ssthresh;
	tcps_srtt = arg1 == 0 ? 0 : xlate <tcpsinfo_t> (tcp_sender).tcps_srtt;
	tcps_sack_fack = arg1 == 0 ? 0 : xlate <tcpsinfo_t> (tcp_sender).tcps_sack_fack;
	tcps_sack_snxt = arg1 == 0 ? 0 : xlate <tcpsinfo_t> (tcp_sender).tcps_sack_snxt;
	tcps_rto = arg1 == 0 ? 0 : xlate <tcpsinfo_t> (tcp_sender).tcps_rto;
	tcps_mss = arg1 == 0 ? 0 : xlate <tcpsinfo_t> (tcp_sender).tcps_mss;
	tcps_retransmit = tcp_is_sent_again;
};
