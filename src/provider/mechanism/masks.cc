// See masks.h.

#include "provider/mechanism/masks.h"

namespace dt::provider {

using bpf::Alu;
using bpf::Emitter;
using bpf::Reg;

Reg is_not_zero(Emitter& e, Reg value) {
  constexpr std::int32_t kSign = 63;
  const Reg mask = e.reg();
  e.mov(mask, value);
  e.neg(mask);
  e.alu(Alu::kOr, mask, value);
  e.alu_imm(Alu::kArsh, mask, kSign);
  return mask;
}

Reg is_not(Emitter& e, Reg value, std::int32_t constant) {
  const Reg difference = e.reg();
  e.mov(difference, value);
  e.alu_imm(Alu::kXor, difference, constant);
  return is_not_zero(e, difference);
}

Reg negation(Emitter& e, Reg mask) {
  const Reg negated = e.reg();
  e.mov(negated, mask);
  e.alu_imm(Alu::kXor, negated, -1);
  return negated;
}

Reg both(Emitter& e, Reg a, Reg b) {
  const Reg masked = e.reg();
  e.mov(masked, a);
  e.alu(Alu::kAnd, masked, b);
  return masked;
}

Reg bits(Emitter& e, Reg value, std::int32_t which) {
  const Reg masked = e.reg();
  e.mov(masked, value);
  e.alu_imm(Alu::kAnd, masked, which);
  return masked;
}

void take_if(Emitter& e, Reg mask, Reg target, Reg value) {
  const Reg change = e.reg();
  e.mov(change, value);
  e.alu(Alu::kXor, change, target);
  e.alu(Alu::kAnd, change, mask);
  e.alu(Alu::kXor, target, change);
}

}  // namespace dt::provider
