// See user_memory.h.

#include "bpf/routine/user_memory.h"

#include <linux/bpf.h>

#include <cerrno>

#include "bpf/layout/frame.h"
#include "bpf/routine/unit.h"

namespace dt::bpf {

namespace {

constexpr std::uint32_t kPageBytes = 4096;

std::int32_t helper_of(bool is_user, bool is_string) {
  if (is_user) return is_string ? BPF_FUNC_probe_read_user_str : BPF_FUNC_probe_read_user;
  return is_string ? BPF_FUNC_probe_read_str : BPF_FUNC_probe_read;
}

// So many pages can hold `bytes` that begin anywhere.
std::uint32_t pages_of(std::uint32_t bytes) { return (bytes + kPageBytes - 2) / kPageBytes + 1; }

}  // namespace

Reg read_foreign(Unit& unit, const ForeignRead& read) {
  Emitter& e = unit.e;
  const Reg status =
      e.call(helper_of(read.is_user, read.is_string), {read.to, read.size, read.from});
  if (!unit.waits) return status;
  const Label done = e.label();
  const Reg result = e.held_copy(status);
  e.jump_if_imm(Cond::kSge, result, 0, done);
  if (!read.is_user) e.jump_if_imm(Cond::kSlt, read.from, 0, done);
  const auto kind = read.is_string ? Routine::Kind::kBringInString : Routine::Kind::kBringIn;
  const Label routine = unit.routine(kind, pages_of(read.most));
  e.mov(result, e.call_subprogram(routine, {read.to, read.size, read.from}));
  e.bind(done);
  return result;
}

// Only as much as is needed: a string may end before a page that is not there.
void emit_bring_in(Unit& unit, Label name, const Routine& routine) {
  Emitter& e = unit.e;
  const std::vector<Reg> r = e.begin_function(name, 3);
  const Reg to = r[0], size = r[1], from = r[2];
  const bool is_string = routine.kind == Routine::Kind::kBringInString;
  const Label again = e.label(), out = e.label();
  const Reg status = e.imm(-EFAULT), left = e.imm(routine.first), page = e.reg();
  e.mov(page, from);
  const StackSlot byte = e.stack(8);
  e.bind(again);
  end_section(e, unit.guard);
  const Reg touched = e.call(BPF_FUNC_copy_from_user, {e.stack_address(byte), e.imm(1), page});
  begin_section(e, unit.guard);
  e.jump_if_imm(Cond::kNe, touched, 0, out);
  e.mov(status, e.call(helper_of(true, is_string), {to, size, from}));
  e.jump_if_imm(Cond::kSge, status, 0, out);
  e.alu_imm(Alu::kAnd, page, -static_cast<std::int32_t>(kPageBytes));
  e.alu_imm(Alu::kAdd, page, kPageBytes);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, again);
  e.bind(out);
  e.ret(status);
}

}  // namespace dt::bpf
