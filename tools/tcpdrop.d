#!/usr/sbin/dtrace -s
/* Segments of TCP that this machine drops, with their ends, the state, and the kernel's word for the reason; with -s
   also where in the kernel. SKB_DROP_REASON_NOT_SPECIFIED can also be a segment that was used. PID is the process that
   runs at this moment, which may be an unrelated one. Source: the tracepoint kfree_skb. */
#pragma D summary segments of TCP that this machine drops, and why
#pragma D flag 4 ipv4 bool only those of IPv4
#pragma D flag 6 ipv6 bool only those of IPv6
#pragma D flag s stack bool also the stack of the kernel
#pragma D example tcpdrop -4 -s -- where segments of IPv4 are dropped
#pragma D option quiet
#pragma D option switchrate=10hz

inline int ETH_P_IP = 0x0800;	/* include/uapi/linux/if_ether.h */
inline int ETH_P_IPV6 = 0x86dd;

BEGIN
{
	printf("%-20s %-8s %-2s %-24s %5s %-24s %5s %-12s %s\n", "TIME", "PID", "IP", "SADDR", "SPORT", "DADDR", "DPORT",
	    "STATE", "REASON");
}

sdt:skb::kfree_skb
/($ipv4 == $ipv6 || $ipv4) && ntohs(args[0]->protocol) == ETH_P_IP/
{
	this->ip = (struct iphdr *)(args[0]->head + args[0]->network_header);
	this->is_tcp = this->ip->protocol == IPPROTO_TCP;
	this->from = inet_ntoa(&this->ip->saddr);
	this->to = inet_ntoa(&this->ip->daddr);
}

sdt:skb::kfree_skb
/($ipv4 == $ipv6 || $ipv6) && ntohs(args[0]->protocol) == ETH_P_IPV6/
{
	this->ip6 = (struct ipv6hdr *)(args[0]->head + args[0]->network_header);
	this->is_tcp = this->ip6->nexthdr == IPPROTO_TCP;
	this->from = inet_ntoa6(&this->ip6->saddr);
	this->to = inet_ntoa6(&this->ip6->daddr);
}

sdt:skb::kfree_skb
/this->is_tcp/
{
	this->tcp = (struct tcphdr *)(args[0]->head + args[0]->transport_header);
	printf("%-20Y %-8d %-2d %-24s %5d %-24s %5d %-12s ", walltimestamp, pid, this->ip ? 4 : 6, this->from,
	    ntohs(this->tcp->source), this->to, ntohs(this->tcp->dest),
	    args[0]->sk ? tcp_state_suffix[args[0]->sk->__sk_common.skc_state] : "-");
	print(args[2]);
	if ($stack) stack();
}
