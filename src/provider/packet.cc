#include "provider/packet.h"

namespace dt::provider {

using bpf::Reg;

Reg packet(StableCode& code) { return code.word(0); }

Reg packet_protocol(StableCode& code) { return code.member(packet(code), "sk_buff", "protocol"); }

void leave_unless_ip(StableCode& code, bpf::Label leave) {
  bpf::Emitter& e = code.emitter();
  const bpf::Label is_one = e.label();
  const Reg kind = packet_protocol(code);
  e.jump_if_imm(bpf::Cond::kEq, kind, kIpv4, is_one);
  e.jump_if_imm(bpf::Cond::kNe, kind, kIpv6, leave);
  e.bind(is_one);
}

Reg ip_header(StableCode& code, bool is_sent) {
  if (!is_sent) return code.member(packet(code), "sk_buff", "data");
  const Reg header = code.member(packet(code), "sk_buff", "head");
  code.emitter().alu(bpf::Alu::kAdd, header,
                     code.member(packet(code), "sk_buff", "network_header"));
  return header;
}

}  // namespace dt::provider
