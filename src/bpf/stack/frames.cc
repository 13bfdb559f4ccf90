// Routines over the frames of a stack: words up to the first that is 0, or to
// the end.

#include "bpf/routine/string_code.h"
#include "bpf/routine/unit.h"

namespace dt::bpf {

namespace {

kernel::Parameter frames_of(std::uint32_t bytes) {
  return {kernel::Parameter::Kind::kMemory, bytes};
}

}  // namespace

void emit_frames_hash(Unit& unit, Label name, std::uint32_t bytes) {
  constexpr std::int64_t kHashFactor = static_cast<std::int64_t>(0x9e3779b97f4a7c15);  // 2^64 / phi
  Emitter& e = unit.e;
  const Reg frames = begin_routine(e, name, "dt_frames_hash", {frames_of(bytes)})[0];
  const Label loop = e.label(), done = e.label();
  const Reg hash = e.imm(0), factor = e.imm(kHashFactor), at = e.imm(0);
  e.bind(loop);
  const Reg frame = e.load(8, sum(e, frames, at), 0);
  e.jump_if_imm(Cond::kEq, frame, 0, done);
  e.alu(Alu::kXor, hash, frame);
  e.alu(Alu::kMul, hash, factor);
  e.alu_imm(Alu::kAdd, at, 8);
  e.jump_if_imm(Cond::kLt, at, static_cast<std::int32_t>(bytes), loop);
  e.bind(done);
  const Reg high = copy(e, hash);
  e.alu_imm(Alu::kRsh, high, 32);
  e.alu(Alu::kXor, hash, high);
  e.ret(hash);
}

void emit_same_frames(Unit& unit, Label name, std::uint32_t bytes) {
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_same_frames", {frames_of(bytes), frames_of(bytes)});
  const Label loop = e.label(), same = e.label(), other = e.label();
  const Reg at = e.imm(0);
  e.bind(loop);
  const Reg frame = e.load(8, sum(e, r[0], at), 0);
  e.jump_if(Cond::kNe, frame, e.load(8, sum(e, r[1], at), 0), other);
  e.jump_if_imm(Cond::kEq, frame, 0, same);
  e.alu_imm(Alu::kAdd, at, 8);
  e.jump_if_imm(Cond::kLt, at, static_cast<std::int32_t>(bytes), loop);
  e.bind(same);
  ret_imm(e, 1);
  e.bind(other);
  ret_imm(e, 0);
}

}  // namespace dt::bpf
