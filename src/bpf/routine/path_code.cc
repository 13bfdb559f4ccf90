// See path_code.h.

#include "bpf/routine/path_code.h"

#include <linux/bpf.h>

#include <cstring>

#include "bpf/asm/lir.h"
#include "bpf/layout/word_load.h"
#include "bpf/routine/string_code.h"
#include "bpf/routine/unit.h"

namespace dt::bpf {
namespace {

constexpr std::int32_t kMaxDigits = 20;

}  // namespace

Reg PathCode::get(PathWord which) const {
  return e.load(8, words, words_offset + static_cast<std::int32_t>(which) * 8);
}

void PathCode::set(PathWord which, Reg value) const {
  e.store(8, words, words_offset + static_cast<std::int32_t>(which) * 8, value);
}

Reg PathCode::load(Reg base, std::int32_t offset) const {
  return fetch_word(e, word, base, offset, 8);
}

Reg PathCode::room(Reg bytes) const {
  const Reg offset = e.held_copy(get(PathWord::kOffset));
  e.alu(Alu::kSub, offset, bytes);
  e.jump_if_imm(Cond::kGe, offset, kPathTextBytes, too_deep);
  set(PathWord::kOffset, offset);
  return sum(e, text, offset);
}

void PathCode::literal(const char* literal) const {
  const std::size_t length = std::strlen(literal);
  const Reg place = room(e.imm(static_cast<std::int64_t>(length)));
  for (std::size_t i = 0; i < length; ++i) {
    e.store_imm(1, place, static_cast<std::int32_t>(i), literal[i]);
  }
}

void PathCode::component(Reg dentry) const {
  const Reg name = load(dentry, at.dentry_name);
  const Reg length = load(dentry, at.dentry_length);
  e.alu_imm(Alu::kAnd, length, static_cast<std::int32_t>(kPathNameBytes - 1));
  const Reg bytes = copy(e, length);
  e.alu_imm(Alu::kAdd, bytes, 1);
  const Reg place = room(bytes);
  e.store_imm(1, place, 0, '/');
  e.alu_imm(Alu::kAdd, place, 1);
  const Reg status = e.call(BPF_FUNC_probe_read_kernel, {place, length, name});
  e.jump_if_imm(Cond::kNe, status, 0, bad);
}

void PathCode::number(Reg number) const {
  literal("]");
  set(PathWord::kNumber, number);
  const Label loop = e.label(), done = e.label();
  const Reg left = e.imm(kMaxDigits);
  e.bind(loop);
  const Reg rest = get(PathWord::kNumber), digit = copy(e, rest);
  e.alu_imm(Alu::kMod, digit, 10);
  e.alu_imm(Alu::kAdd, digit, '0');
  e.store(1, room(e.imm(1)), 0, digit);
  e.alu_imm(Alu::kDiv, rest, 10);
  set(PathWord::kNumber, rest);
  e.jump_if_imm(Cond::kEq, rest, 0, done);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  e.bind(done);
  literal("[");
}

void PathCode::step(Label at_root) const {
  const Label up = e.label(), named = e.label(), next = e.label();
  const Reg dentry = get(PathWord::kDentry), mount = get(PathWord::kMount);
  const Reg difference = get(PathWord::kRootDentry), other = get(PathWord::kRootMount);
  e.alu(Alu::kXor, difference, dentry);
  e.alu(Alu::kXor, other, mount);
  e.alu(Alu::kOr, difference, other);
  e.jump_if_imm(Cond::kEq, difference, 0, at_root);
  const Reg parent = load(dentry, at.dentry_parent);
  e.jump_if(Cond::kEq, load(mount, at.mnt_root), dentry, up);
  e.jump_if(Cond::kNe, parent, dentry, named);
  e.bind(up);
  // From struct vfsmount to the struct mount that it is in, and back.
  const Reg whole = copy(e, mount);
  e.alu_imm(Alu::kSub, whole, at.mount_mnt);
  const Reg above = load(whole, at.mount_parent);
  e.jump_if(Cond::kEq, above, whole, at_root);
  e.jump_if_imm(Cond::kEq, above, 0, bad);
  set(PathWord::kDentry, load(whole, at.mount_mountpoint));
  e.alu_imm(Alu::kAdd, above, at.mount_mnt);
  set(PathWord::kMount, above);
  e.jump(next);
  e.bind(named);
  set(PathWord::kDentry, parent);
  component(dentry);
  e.bind(next);
}

// A few steps at a time: the verifier follows each of them, but the function
// only once, however often it is called.
void emit_path_steps(Unit& unit, Label name) {
  constexpr std::int32_t kSteps = 4;
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_path",
                    {string_of(kPathTextBytes + kPathNameBytes - kOperandSlack),
                     string_of(kPathWordBytes - kOperandSlack)});
  const StackSlot word = e.stack(8);
  const Label bad = e.label(), too_deep = e.label(), at_root = e.label(), loop = e.label();
  const PathCode code = {e, unit.memory.machine.path, r[1], 0, r[0], word, bad, too_deep};
  const Reg left = e.imm(kSteps);
  e.bind(loop);
  code.step(at_root);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  ret_imm(e, static_cast<std::int64_t>(PathEnd::kNone));
  e.bind(at_root);
  ret_imm(e, static_cast<std::int64_t>(PathEnd::kAtRoot));
  e.bind(bad);
  ret_imm(e, static_cast<std::int64_t>(PathEnd::kBadAddress));
  e.bind(too_deep);
  ret_imm(e, static_cast<std::int64_t>(PathEnd::kTooDeep));
}

}  // namespace dt::bpf
