#pragma once
// Packets of IP at network interfaces, for the providers that are about them.
//
//   sent       net_dev_queue
//   received   netif_receive_skb
//
// Both tracepoints pass the struct sk_buff first. A packet that passes several
// interfaces, as a tunnel's or a bridge's does, fires at each of them, and one that
// is forwarded comes and goes. What the stack makes to be cut into segments later, or
// has put together of several that came, is one packet.

#include "provider/mechanism/stable.h"

namespace dt::provider {

constexpr const char* kPacketSent = "net_dev_queue";
constexpr const char* kPacketReceived = "netif_receive_skb";

// sk_buff::protocol, in the order of the network (linux/if_ether.h).
constexpr std::int32_t kIpv4 = 0x0008, kIpv6 = 0xdd86;

bpf::Reg packet(StableCode& code);
bpf::Reg packet_protocol(StableCode& code);
// Leaves when the packet is of another protocol than these two.
void leave_unless_ip(StableCode& code, bpf::Label leave);
// Where its IP header is. The stack has noted that of a packet that it sends; one
// that has come begins with it.
bpf::Reg ip_header(StableCode& code, bool is_sent);

// Leaves when the packet does not begin a datagram or segment of `protocol`
// (IPPROTO_...): what is in fragments has its header in the first. Of the headers
// between that of IPv6 and that of the protocol only the options for each hop are looked through,
// which the kernel itself puts into packets of more than 65,535 bytes.
void leave_unless_protocol(StableCode& code, bpf::Label leave, bool is_sent, std::int32_t protocol);
// Where that header is.
bpf::Reg transport_header(StableCode& code, bool is_sent);

}  // namespace dt::provider
