// The ip provider: packets of IPv4 and IPv6 that are given to a network interface
// (send) and that come from one (receive). packet.h says which these are.

#include "provider/mechanism/packet.h"
#include "provider/mechanism/providers.h"

namespace dt::provider {

namespace {

using bpf::Cond;
using bpf::Emitter;
using bpf::Label;
using bpf::Reg;

// What lib/ip.d reads as arg0 to arg5.
enum Value : std::uint32_t {
  kPacket,
  kSocket,   // the struct sock that sends it, or 0
  kHeader,   // its IP header
  kDevice,   // the struct net_device
  kHeader4,  // its header, if it is one of IPv4, or 0
  kHeader6,  // the same of IPv6
  kValues,
};

template <bool is_sent>
Reg header_of(StableCode& code, std::int32_t wanted) {
  Emitter& e = code.emitter();
  const Label other = e.label();
  const Reg found = e.imm(0);
  e.jump_if_imm(Cond::kNe, packet_protocol(code), wanted, other);
  e.mov(found, ip_header(code, is_sent));
  e.bind(other);
  return found;
}

template <bool is_sent>
Reg of_packet(StableCode& code, std::uint32_t n) {
  switch (n) {
    case kPacket:
      return packet(code);
    case kSocket:
      return code.member(packet(code), "sk_buff", "sk");
    case kHeader:
      return ip_header(code, is_sent);
    case kDevice:
      return code.member(packet(code), "sk_buff", "dev");
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
  return stable_provider(
      "ip", types,
      {
          {"receive", kPacketReceived, leave_unless_ip, packet, of_packet<false>},
          {"send", kPacketSent, leave_unless_ip, packet, of_packet<true>},
      });
}

}  // namespace dt::provider
