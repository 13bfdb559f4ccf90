// The ip provider: packets of IPv4 and IPv6 that are given to a network interface
// and that come from one.
//
//   send       net_dev_queue
//   receive    netif_receive_skb
//
// Both are about a packet at an interface. One that passes several, as a tunnel's
// or a bridge's does, fires at each of them, and one that is forwarded comes and
// goes. What the stack makes to be cut into segments later, or has put together of
// several that came, is one packet.

#include "provider/all.h"
#include "provider/stable.h"

namespace dt::provider {

namespace {

using bpf::Alu;
using bpf::Cond;
using bpf::Emitter;
using bpf::Label;
using bpf::Reg;

// What lib/ip.d reads as arg0 to arg5. The tracepoints pass the struct sk_buff.
enum Value : std::uint32_t {
  kPacket,
  kSocket,   // the struct sock that sends it, or 0
  kHeader,   // its IP header
  kDevice,   // the struct net_device
  kHeader4,  // its header, if it is one of IPv4, or 0
  kHeader6,  // the same of IPv6
  kValues,
};

// sk_buff::protocol, in the order of the network (linux/if_ether.h).
constexpr std::int32_t kIpv4 = 0x0008, kIpv6 = 0xdd86;

Reg protocol(StableCode& code) { return code.member(code.word(kPacket), "sk_buff", "protocol"); }

void is_ip(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Label is_one = e.label();
  const Reg kind = protocol(code);
  e.jump_if_imm(Cond::kEq, kind, kIpv4, is_one);
  e.jump_if_imm(Cond::kNe, kind, kIpv6, leave);
  e.bind(is_one);
}

// The stack has noted where the header of a packet that it sends begins; one that
// has come begins with it.
template <bool is_sent>
Reg header(StableCode& code) {
  if (!is_sent) return code.member(code.word(kPacket), "sk_buff", "data");
  const Reg header = code.member(code.word(kPacket), "sk_buff", "head");
  code.emitter().alu(Alu::kAdd, header,
                     code.member(code.word(kPacket), "sk_buff", "network_header"));
  return header;
}

template <bool is_sent>
Reg header_of(StableCode& code, std::int32_t wanted) {
  Emitter& e = code.emitter();
  const Label other = e.label();
  const Reg found = e.imm(0);
  e.jump_if_imm(Cond::kNe, protocol(code), wanted, other);
  e.mov(found, header<is_sent>(code));
  e.bind(other);
  return found;
}

template <bool is_sent>
Reg of_packet(StableCode& code, std::uint32_t n) {
  switch (n) {
    case kPacket:
      return code.word(kPacket);
    case kSocket:
      return code.member(code.word(kPacket), "sk_buff", "sk");
    case kHeader:
      return header<is_sent>(code);
    case kDevice:
      return code.member(code.word(kPacket), "sk_buff", "dev");
    case kHeader4:
      return header_of<is_sent>(code, kIpv4);
    case kHeader6:
      return header_of<is_sent>(code, kIpv6);
    default:
      return code.emitter().imm(0);
  }
}

}  // namespace

std::unique_ptr<Provider> ip_provider(const types::Catalog& types) {
  const std::vector<probe::Argument> packet = {
      {"pktinfo_t *", false, "struct sk_buff *", kPacket},
      {"csinfo_t *", false, "struct sock *", kSocket},
      {"ipinfo_t *", false, "struct ip_packet *", kHeader},
      {"ifinfo_t *", false, "struct net_device *", kDevice},
      {"ipv4info_t *", false, "struct iphdr *", kHeader4},
      {"ipv6info_t *", false, "struct ipv6hdr *", kHeader6},
  };
  return stable_provider("ip", types,
                         {
                             {"receive", "netif_receive_skb", is_ip, packet, of_packet<false>},
                             {"send", "net_dev_queue", is_ip, packet, of_packet<true>},
                         });
}

}  // namespace dt::provider
