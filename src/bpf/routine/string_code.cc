// Words as eight bytes at a time.

#include "bpf/routine/string_code.h"

namespace dt::bpf {

namespace {

constexpr std::int64_t kOnes = 0x0101010101010101;
constexpr std::int64_t kHighBits = static_cast<std::int64_t>(0x8080808080808080);

}  // namespace

std::vector<Reg> begin_routine(Emitter& e, Label name, const char* symbol,
                               const std::vector<kernel::Parameter>& parameters) {
  const std::vector<Reg> regs = e.begin_global_function(name, symbol, parameters);
  for (std::size_t i = 0; i < regs.size(); ++i) {
    if (parameters[i].kind != kernel::Parameter::Kind::kMemory) continue;
    const Label good = e.label();
    e.jump_if_imm(Cond::kNe, regs[i], 0, good);
    ret_imm(e, -1);
    e.bind(good);
  }
  return regs;
}

Reg copy(Emitter& e, Reg value) {
  const Reg out = e.reg();
  e.mov(out, value);
  return out;
}

Reg sum(Emitter& e, Reg a, Reg b) {
  const Reg out = copy(e, a);
  e.alu(Alu::kAdd, out, b);
  return out;
}

void forget_pointer(Emitter& e, Reg pointer) {
  e.neg(pointer);
  e.neg(pointer);
}

void ret_imm(Emitter& e, std::int64_t value) { e.ret(e.imm(value)); }

Reg repeated(Emitter& e, Reg byte) {
  const Reg out = copy(e, byte);
  e.alu_imm(Alu::kAnd, out, 0xff);
  e.alu(Alu::kMul, out, e.imm(kOnes));
  return out;
}

ZeroBytes::ZeroBytes(Emitter& e) : e_(e), ones_(e.imm(kOnes)), high_(e.imm(kHighBits)) {}

Reg ZeroBytes::first(Reg word) {
  const Reg out = copy(e_, word);
  e_.alu(Alu::kSub, out, ones_);
  const Reg without = copy(e_, word);
  e_.alu_imm(Alu::kXor, without, -1);
  e_.alu(Alu::kAnd, out, without);
  e_.alu(Alu::kAnd, out, high_);
  return out;
}

Reg ZeroBytes::all(Reg word) {
  // The low seven bits of a byte carry into its high bit unless all are zero.
  const Reg low = e_.imm(~kHighBits);
  const Reg out = copy(e_, word);
  e_.alu(Alu::kAnd, out, low);
  e_.alu(Alu::kAdd, out, low);
  e_.alu(Alu::kOr, out, word);
  e_.alu_imm(Alu::kXor, out, -1);
  e_.alu(Alu::kAnd, out, high_);
  return out;
}

Reg first_byte(Emitter& e, Reg bits) {
  // The lowest bit, as bit 0 of its byte, shifts one byte of a table to the top.
  constexpr std::int64_t kTable = 0x0001020304050607;
  const Reg lowest = copy(e, bits);
  e.neg(lowest);
  e.alu(Alu::kAnd, lowest, bits);
  e.alu_imm(Alu::kRsh, lowest, 7);
  e.alu(Alu::kMul, lowest, e.imm(kTable));
  e.alu_imm(Alu::kRsh, lowest, 56);
  return lowest;
}

void forget(Emitter& e, Reg value, Reg unknown) {
  e.alu(Alu::kXor, value, unknown);
  e.alu(Alu::kXor, value, unknown);
}

Reg string_length(Emitter& e, Reg s, std::uint32_t capacity) {
  const Reg length = e.imm(0);
  for (std::uint32_t left = capacity - 1; left > 0;) {
    const std::uint32_t half = (left + 1) / 2;
    const bool is_first = left == capacity - 1;
    const Reg byte =
        e.load(1, is_first ? s : sum(e, s, length), static_cast<std::int32_t>(half - 1));
    // The sign of -byte: 1, or 0 for 0. Multiplied and not masked: verifiers
    // since 6.18 follow a mask of all or no bits both ways, and every length.
    e.neg(byte);
    e.alu_imm(Alu::kRsh, byte, 63);
    e.alu_imm(Alu::kMul, byte, static_cast<std::int32_t>(half));
    e.alu(Alu::kAdd, length, byte);
    left -= half;
  }
  return length;
}

}  // namespace dt::bpf
