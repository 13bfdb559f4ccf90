// A packet is a struct sk_buff: a block of memory with offsets of its headers. Offsets are set as
// the packet goes down or up the stack, so which of them are valid depends on the place of the
// probe. Numbers in headers are in network order, the most significant byte first.

#include "provider/mechanism/packet.h"

namespace dt::provider {

using bpf::Alu;
using bpf::Cond;
using bpf::Emitter;
using bpf::Label;
using bpf::Reg;

namespace {

// In the header of IPv4: words of 4 bytes that it has, the fragment's offset, the
// protocol. In that of IPv6: the protocol of what follows; and how long it is.
constexpr std::uint32_t kWordsAt = 0, kFragmentAt = 6, kProtocolAt = 9, kNextAt = 6;
constexpr std::int32_t kIpv6HeaderBytes = 40;
// The options for each hop, number 0, may follow the header of IPv6: first the protocol of
// what follows them, and their length in words of 8 bytes, less one.
constexpr std::int32_t kHopOptions = 0;
constexpr std::uint32_t kHopNextAt = kIpv6HeaderBytes, kHopWordsAt = kIpv6HeaderBytes + 1;
constexpr std::int32_t kHopWord = 8;

}  // namespace

Reg packet(StableCode& code) { return code.word(0); }

Reg packet_protocol(StableCode& code) { return code.member(packet(code), "sk_buff", "protocol"); }

void leave_unless_ip(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Label is_one = e.label();
  const Reg kind = packet_protocol(code);
  e.jump_if_imm(Cond::kEq, kind, kIpv4, is_one);
  e.jump_if_imm(Cond::kNe, kind, kIpv6, leave);
  e.bind(is_one);
}

Reg ip_header(StableCode& code, bool is_sent) {
  if (!is_sent) return code.member(packet(code), "sk_buff", "data");
  const Reg header = code.member(packet(code), "sk_buff", "head");
  code.emitter().alu(Alu::kAdd, header, code.member(packet(code), "sk_buff", "network_header"));
  return header;
}

void leave_unless_protocol(StableCode& code, Label leave, bool is_sent, std::int32_t protocol) {
  constexpr std::int32_t kOffsetBits = 0x1f;  // beside them are flags
  Emitter& e = code.emitter();
  const Label is_6 = e.label(), is_one = e.label();
  leave_unless_ip(code, leave);
  const Reg header = ip_header(code, is_sent);
  e.jump_if_imm(Cond::kEq, packet_protocol(code), kIpv6, is_6);
  e.jump_if_imm(Cond::kNe, code.byte(header, kProtocolAt), protocol, leave);
  const Reg offset = code.byte(header, kFragmentAt);
  e.alu_imm(Alu::kAnd, offset, kOffsetBits);
  e.alu(Alu::kOr, offset, code.byte(header, kFragmentAt + 1));
  e.jump_if_imm(Cond::kNe, offset, 0, leave);
  e.jump(is_one);
  e.bind(is_6);
  const Label is_next = e.label();
  const Reg next = code.byte(header, kNextAt);
  e.jump_if_imm(Cond::kNe, next, kHopOptions, is_next);
  e.mov(next, code.byte(header, kHopNextAt));
  e.bind(is_next);
  e.jump_if_imm(Cond::kNe, next, protocol, leave);
  e.bind(is_one);
}

Reg transport_header(StableCode& code, bool is_sent) {
  Emitter& e = code.emitter();
  const Label is_6 = e.label(), done = e.label();
  const Reg start = ip_header(code, is_sent), bytes = e.imm(kIpv6HeaderBytes);
  e.jump_if_imm(Cond::kEq, packet_protocol(code), kIpv6, is_6);
  e.mov(bytes, code.byte(start, kWordsAt));
  e.alu_imm(Alu::kAnd, bytes, 0xf);
  e.alu_imm(Alu::kLsh, bytes, 2);
  e.jump(done);
  e.bind(is_6);
  e.jump_if_imm(Cond::kNe, code.byte(start, kNextAt), kHopOptions, done);
  e.mov(bytes, code.byte(start, kHopWordsAt));
  e.alu_imm(Alu::kMul, bytes, kHopWord);
  e.alu_imm(Alu::kAdd, bytes, kIpv6HeaderBytes + kHopWord);
  e.bind(done);
  e.alu(Alu::kAdd, start, bytes);
  return start;
}

}  // namespace dt::provider
