// See firing_number.h.

#include "bpf/layout/firing_number.h"

#include <cstddef>

#include "bpf/layout/drop.h"

namespace dt::bpf {

void store_tag(Emitter& e, Reg record, record::Kind kind, Reg number) {
  constexpr std::int32_t kTagAt = offsetof(record::Header, tag);
  const auto known = static_cast<std::int32_t>(record::tag_of(kind));
  if (!number.valid()) return e.store_imm(2, record, kTagAt, known);
  const Reg tag = e.reg();
  e.mov(tag, number);
  e.alu_imm(Alu::kOr, tag, known);
  e.store(2, record, kTagAt, tag);
}

// The addition is atomic: an interrupt may fire a probe between any two instructions. Numbers are
// odd, so that none is 0.
void emit_number_function(Emitter& e, Label name, const Memory& memory) {
  constexpr std::int32_t kNext = 24;  // Memory::misc_offset
  constexpr std::int32_t kOne = 1 << record::kKindBits;
  e.begin_function(name, 0);
  const Label out = e.label();
  const Reg block = cpu_block(e, memory, out);
  const Reg number = e.imm(2 * kOne);
  e.atomic(Atomic::kFetchAdd, 8, block, static_cast<std::int32_t>(memory.misc_offset) + kNext,
           number);
  e.alu_imm(Alu::kOr, number, kOne);
  e.alu_imm(Alu::kAnd, number, 0xffff);
  e.ret(number);
  e.bind(out);
  e.exit(0);
}

}  // namespace dt::bpf
