// The udp provider: datagrams of UDP that are given to a network interface (send) and
// that come from one (receive). packet.h says which packets these are; of a datagram
// in fragments it is the first, which has its header.

#include "provider/all.h"
#include "provider/packet.h"

namespace dt::provider {

namespace {

using bpf::Alu;
using bpf::Cond;
using bpf::Emitter;
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
// In the header of IPv4: words of 4 bytes that it has, the fragment's offset, the
// protocol. In that of IPv6: the protocol of what follows; and how long it is.
constexpr std::uint32_t kWordsAt = 0, kFragmentAt = 6, kProtocolAt = 9, kNextAt = 6;
constexpr std::int32_t kIpv6HeaderBytes = 40;

// Headers between that of IPv6 and that of UDP are not looked through.
template <bool is_sent>
void is_udp(StableCode& code, Label leave) {
  constexpr std::int32_t kOffsetBits = 0x1f;  // beside them are flags
  Emitter& e = code.emitter();
  const Label is_6 = e.label(), is_one = e.label();
  leave_unless_ip(code, leave);
  const Reg header = ip_header(code, is_sent);
  e.jump_if_imm(Cond::kEq, packet_protocol(code), kIpv6, is_6);
  e.jump_if_imm(Cond::kNe, code.byte(header, kProtocolAt), kUdp, leave);
  const Reg offset = code.byte(header, kFragmentAt);
  e.alu_imm(Alu::kAnd, offset, kOffsetBits);
  e.alu(Alu::kOr, offset, code.byte(header, kFragmentAt + 1));
  e.jump_if_imm(Cond::kNe, offset, 0, leave);
  e.jump(is_one);
  e.bind(is_6);
  e.jump_if_imm(Cond::kNe, code.byte(header, kNextAt), kUdp, leave);
  e.bind(is_one);
}

template <bool is_sent>
Reg header(StableCode& code) {
  Emitter& e = code.emitter();
  const Label is_6 = e.label();
  const Reg start = ip_header(code, is_sent), bytes = e.imm(kIpv6HeaderBytes);
  e.jump_if_imm(Cond::kEq, packet_protocol(code), kIpv6, is_6);
  e.mov(bytes, code.byte(start, kWordsAt));
  e.alu_imm(Alu::kAnd, bytes, 0xf);
  e.alu_imm(Alu::kLsh, bytes, 2);
  e.bind(is_6);
  e.alu(Alu::kAdd, start, bytes);
  return start;
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
      return header<is_sent>(code);
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
