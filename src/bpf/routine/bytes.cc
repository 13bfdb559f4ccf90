// Routines: where a byte is in a string, and upper and lower case.

#include <algorithm>

#include "bpf/routine/string_code.h"
#include "bpf/routine/unit.h"

namespace dt::bpf {

// Eight bytes at a time. A word whose last byte is a NUL is the string's last.
void emit_find_char(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_find_char", {string_of(capacity), kNumberParameter});
  const Label loop = e.label(), found = e.label(), none = e.label();
  const Reg pattern = repeated(e, r[1]);
  ZeroBytes zero_bytes(e);
  const Reg at = e.imm(0);
  e.bind(loop);
  const Reg word = e.load(8, sum(e, r[0], at), 0);
  const Reg differs = copy(e, word);
  e.alu(Alu::kXor, differs, pattern);
  const Reg hits = zero_bytes.first(differs);
  e.jump_if_imm(Cond::kNe, hits, 0, found);
  e.alu_imm(Alu::kRsh, word, 56);
  e.jump_if_imm(Cond::kEq, word, 0, none);
  e.alu_imm(Alu::kAdd, at, 8);
  e.jump_if_imm(Cond::kLt, at, static_cast<std::int32_t>(capacity), loop);
  e.bind(none);
  ret_imm(e, -1);
  e.bind(found);
  const Reg position = first_byte(e, hits);
  e.alu(Alu::kAdd, position, at);
  e.ret(position);
}

// Words from the last one that has anything in it down to the first.
void emit_find_last_char(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_find_last_char", {string_of(capacity), kNumberParameter});
  const Label loop = e.label(), found = e.label(), none = e.label(), other = e.label();
  const Reg at = string_length(e, r[0], capacity);
  const Reg byte = copy(e, r[1]);
  e.alu_imm(Alu::kAnd, byte, 0xff);
  e.jump_if_imm(Cond::kNe, byte, 0, other);
  e.ret(at);
  e.bind(other);
  const Reg pattern = repeated(e, byte);
  ZeroBytes zero_bytes(e);
  e.alu_imm(Alu::kAnd, at, -8);
  e.bind(loop);
  const Reg word = e.load(8, sum(e, r[0], at), 0);
  e.alu(Alu::kXor, word, pattern);
  const Reg hits = zero_bytes.all(word);
  e.jump_if_imm(Cond::kNe, hits, 0, found);
  e.alu_imm(Alu::kSub, at, 8);
  e.jump_if_imm(Cond::kSge, at, 0, loop);
  e.bind(none);
  ret_imm(e, -1);
  e.bind(found);
  e.byte_swap(hits, 8);
  const Reg from_end = first_byte(e, hits);
  e.alu_imm(Alu::kAdd, at, 7);
  e.alu(Alu::kSub, at, from_end);
  e.ret(at);
}

// A letter of the one case has a high bit in exactly one of (byte + 0x80 -
// first) and (byte + 0x7f - last); that bit, at 0x20, makes it the other case.
void emit_change_case(Unit& unit, Label name, const Routine& routine) {
  Emitter& e = unit.e;
  const bool is_lower = routine.kind == Routine::Kind::kLower;
  const std::vector<Reg> r = begin_routine(e, name, is_lower ? "dt_tolower" : "dt_toupper",
                                           {string_of(routine.second), string_of(routine.first)});
  constexpr std::int64_t kEachByte = 0x0101010101010101;
  const Label loop = e.label(), done = e.label();
  const Reg low = e.imm(0x7f * kEachByte);
  const Reg from_first = e.imm((0x80 - (is_lower ? 'A' : 'a')) * kEachByte);
  const Reg behind_last = e.imm((0x7f - (is_lower ? 'Z' : 'z')) * kEachByte);
  const Reg at = e.imm(0);
  e.bind(loop);
  const Reg word = e.load(8, sum(e, r[1], at), 0);
  const Reg from = copy(e, word);
  e.alu(Alu::kAnd, from, low);
  const Reg behind = sum(e, from, behind_last);
  e.alu(Alu::kAdd, from, from_first);
  e.alu(Alu::kXor, from, behind);
  const Reg ascii = copy(e, word);
  e.alu(Alu::kOr, ascii, low);
  e.alu_imm(Alu::kXor, ascii, -1);
  e.alu(Alu::kAnd, from, ascii);
  e.alu_imm(Alu::kRsh, from, 2);
  e.alu(Alu::kXor, from, word);
  e.store(8, sum(e, r[0], at), 0, from);
  e.alu_imm(Alu::kRsh, word, 56);
  e.jump_if_imm(Cond::kEq, word, 0, done);
  e.alu_imm(Alu::kAdd, at, 8);
  const std::uint32_t bytes = std::min(routine.first, routine.second);
  e.jump_if_imm(Cond::kLt, at, static_cast<std::int32_t>(bytes), loop);
  e.bind(done);
  ret_imm(e, 0);
}

}  // namespace dt::bpf
