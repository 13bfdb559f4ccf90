// The udp provider: datagrams of UDP that are given to a network interface (send) and
// that come from one (receive). packet.h says which packets these are.

#include "provider/mechanism/packet.h"
#include "provider/mechanism/providers.h"

namespace dt::provider {

namespace {

using bpf::Label;
using bpf::Reg;

// What lib/udp.d reads as arg0 to arg4.
enum Value : std::uint32_t {
  kPacket,
  kSocket,    // the struct sock that sends it, or 0
  kIpHeader,  // of the packet
  kHeader,    // its struct udphdr
  kIsSent,    // 1, or 0 for one that has come
  kValues,
};

constexpr std::int32_t kUdp = 17;  // IPPROTO_UDP

template <bool is_sent>
void is_udp(StableCode& code, Label leave) {
  leave_unless_protocol(code, leave, is_sent, kUdp);
}

template <bool is_sent>
Reg of_datagram(StableCode& code, std::uint32_t n) {
  switch (n) {
    case kPacket:
      return packet(code);
    case kSocket:
      return code.member(packet(code), "sk_buff", "sk");
    case kIpHeader:
      return ip_header(code, is_sent);
    case kHeader:
      return transport_header(code, is_sent);
    case kIsSent:
      return code.emitter().imm(is_sent);
    default:
      return code.emitter().imm(0);
  }
}

}  // namespace

std::unique_ptr<Provider> udp_provider(const types::Catalog& types) {
  const std::vector<probe::Argument> datagram = {
      {"pktinfo_t *", false, "struct sk_buff *", kPacket},
      {"csinfo_t *", false, "struct sock *", kSocket},
      {"ipinfo_t *", false, "struct ip_packet *", kIpHeader},
      {"udpsinfo_t *", false, "struct ip_packet *", kIpHeader},
      {"udpinfo_t *", false, "struct udphdr *", kHeader},
  };
  return stable_provider(
      "udp", types,
      {
          {"receive", kPacketReceived, is_udp<false>, datagram, of_datagram<false>, kValues},
          {"send", kPacketSent, is_udp<true>, datagram, of_datagram<true>, kValues},
      });
}

}  // namespace dt::provider
