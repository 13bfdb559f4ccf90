// Routines: strtok(), and bytes that replace NULs.
//
// A set of bytes is 256 bits. The state of strtok() is a word, 1 + where the
// next token is looked for, and behind it the text.

#include <algorithm>

#include "bpf/routine/string_code.h"
#include "bpf/routine/unit.h"

namespace dt::bpf {

namespace {

// The word of the set that the byte is in; its bit is the byte's, modulo 64.
Reg set_word(Emitter& e, Reg set, Reg byte) {
  const Reg word = copy(e, byte);
  e.alu_imm(Alu::kRsh, word, 6);
  e.alu_imm(Alu::kLsh, word, 3);
  e.alu(Alu::kAdd, word, set);
  return word;
}

// Whether the byte is in the set: 1 or 0. Changes the byte.
Reg is_in_set(Emitter& e, Reg set, Reg byte) {
  const Reg bits = e.load(8, set_word(e, set, byte), 0);
  e.alu_imm(Alu::kAnd, byte, 63);
  e.alu(Alu::kRsh, bits, byte);
  e.alu_imm(Alu::kAnd, bits, 1);
  return bits;
}

}  // namespace

bool uses_tokens(const ir::Inst& inst) {
  return inst.op == ir::Op::kCall &&
         (static_cast<ir::Subroutine>(inst.index) == ir::Subroutine::kStrtok ||
          static_cast<ir::Subroutine>(inst.index) == ir::Subroutine::kStrtokNext);
}

// The longest text of all calls, as they share one state. A call with one argument goes on with the
// text that is there.
std::uint32_t token_state_bytes(const ir::Program& program) {
  std::uint32_t bytes = 0;
  for (const ir::EcbDesc& clause : program.clauses) {
    std::vector<ir::Type> types(clause.body.value_count);
    for (const ir::Block& block : clause.body.blocks) {
      for (const ir::Param& param : block.params) types[param.id] = param.type;
      for (const ir::Inst& inst : block.insts) {
        if (inst.result != ir::kNone) types[inst.result] = inst.type;
        if (!uses_tokens(inst)) continue;
        const bool has_text = inst.args.size() > 1;
        const std::uint32_t text = has_text ? words_up(types[inst.args[0]].size) : 8;
        bytes = std::max(bytes, kTokenHeaderBytes + text);
      }
    }
  }
  return bytes;
}

void emit_byte_set(Unit& unit, Label name, const Routine& routine) {
  Emitter& e = unit.e;
  const std::uint32_t capacity = routine.first;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_byte_set", {string_of(kByteSetBytes), string_of(capacity)});
  const Label loop = e.label(), done = e.label();
  if (routine.kind == Routine::Kind::kByteSet) {
    for (std::int32_t i = 0; i < 4; ++i) e.store_imm(8, r[0], i * 8, 0);
  }
  const Reg at = e.imm(0);
  e.bind(loop);
  const Reg byte = e.load(1, sum(e, r[1], at), 0);
  e.jump_if_imm(Cond::kEq, byte, 0, done);
  const Reg word = set_word(e, r[0], byte);
  const Reg bit = e.imm(1);
  e.alu_imm(Alu::kAnd, byte, 63);
  e.alu(Alu::kLsh, bit, byte);
  e.alu(Alu::kOr, bit, e.load(8, word, 0));
  e.store(8, word, 0, bit);
  e.alu_imm(Alu::kAdd, at, 1);
  e.jump_if_imm(Cond::kLt, at, static_cast<std::int32_t>(capacity), loop);
  e.bind(done);
  ret_imm(e, 0);
}

// Bytes behind the header of the state: at most a window of them.
void emit_token_run(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_token_run",
                    {string_of(kTokenHeaderBytes + capacity), string_of(kByteSetBytes),
                     kNumberParameter, kNumberParameter});
  const Label done = e.label();
  const Reg count = e.imm(0), wanted = copy(e, r[3]);
  each_of_run(e, r[2], e.load(8, r[0], kTokenHeaderBytes), capacity, done, count, [&](Reg at) {
    const Reg byte = e.load(1, sum(e, r[0], at), kTokenHeaderBytes);
    e.jump_if_imm(Cond::kEq, byte, 0, done);
    e.jump_if(Cond::kNe, is_in_set(e, r[1], byte), wanted, done);
  });
  e.ret(count);
}

void emit_token(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const std::vector<Reg> r = begin_routine(
      e, name, "dt_strtok", {string_of(kTokenHeaderBytes + capacity), string_of(kByteSetBytes)});
  const auto bytes = static_cast<std::int32_t>(capacity);
  const Label none = e.label(), found = e.label(), end = e.label();
  const Reg at = e.load(8, r[0], 0);
  // forget() mixes this value into a register so that it stays the same number, but the verifier
  // knows nothing about it any more. After a loop it would otherwise know a different range for
  // every number of turns, and go through the rest of the program once for each.
  const Reg unknown = e.load(8, r[0], kTokenHeaderBytes);
  // Goes on over bytes that are in the set, or that are not; `stop` is where
  // the first other one is, `over` where the text ends.
  const auto scan = [&](bool in_set, Label stop, Label over) {
    if (is_wide(capacity)) {
      const Label run = unit.routine(Routine::Kind::kTokenRun, capacity);
      pass_run(e, at, capacity, [&] {
        return e.call_subprogram(run, {r[0], r[1], at, e.imm(in_set ? 1 : 0)});
      });
      forget(e, at, unknown);
      e.jump_if_imm(Cond::kGe, at, bytes, over);
      e.jump_if_imm(Cond::kEq, e.load(1, sum(e, r[0], at), kTokenHeaderBytes), 0, over);
      return e.jump(stop);
    }
    const Label loop = e.label();
    e.bind(loop);
    const Reg byte = e.load(1, sum(e, r[0], at), kTokenHeaderBytes);
    e.jump_if_imm(Cond::kEq, byte, 0, over);
    e.jump_if_imm(in_set ? Cond::kEq : Cond::kNe, is_in_set(e, r[1], byte), 0, stop);
    e.alu_imm(Alu::kAdd, at, 1);
    e.jump_if_imm(Cond::kLt, at, bytes, loop);
  };
  e.alu_imm(Alu::kSub, at, 1);
  e.jump_if_imm(Cond::kGe, at, bytes, none);
  scan(true, found, none);
  e.bind(none);
  // What is over stays over: the state says the text's last byte, a NUL.
  e.store_imm(8, r[0], 0, bytes);
  ret_imm(e, 0);
  e.bind(found);
  forget(e, at, unknown);
  e.jump_if_imm(Cond::kGe, at, bytes, none);
  const Reg start = copy(e, at);
  forget(e, start, unknown);
  scan(false, end, end);
  e.bind(end);
  const Reg length = copy(e, at);
  e.alu(Alu::kSub, length, start);
  e.alu_imm(Alu::kLsh, length, 32);
  e.alu(Alu::kOr, length, start);
  e.alu_imm(Alu::kAdd, at, 1);
  e.store(8, r[0], 0, at);
  e.ret(length);
}

// The words behind the NUL are a routine's: the verifier would follow them for each place that the
// NUL may have.
void emit_cut(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const std::vector<Reg> r = begin_routine(e, name, "dt_cut", {string_of(capacity)});
  const auto bytes = static_cast<std::int32_t>(capacity);
  const Label loop = e.label(), found = e.label();
  ZeroBytes zero_bytes(e);
  const Reg at = e.imm(0);
  e.bind(loop);
  const Reg word = e.load(8, sum(e, r[0], at), 0);
  const Reg hits = zero_bytes.first(word);
  e.jump_if_imm(Cond::kNe, hits, 0, found);
  e.alu_imm(Alu::kAdd, at, 8);
  e.jump_if_imm(Cond::kLt, at, bytes, loop);
  ret_imm(e, 0);
  e.bind(found);
  // The bits below the first NUL's byte. x & -x is the lowest bit that is set, which is of the
  // first NUL, as the first byte of a string is the lowest of its word.
  const Reg below = copy(e, hits);
  e.neg(below);
  e.alu(Alu::kAnd, below, hits);
  e.alu_imm(Alu::kRsh, below, 7);
  e.alu_imm(Alu::kSub, below, 1);
  e.alu(Alu::kAnd, word, below);
  e.store(8, sum(e, r[0], at), 0, word);
  e.alu_imm(Alu::kAdd, at, 8);
  e.call_subprogram(unit.routine(Routine::Kind::kZeroRest, capacity), {r[0], at});
  ret_imm(e, 1);
}

void emit_zero_rest(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_zero_rest", {string_of(capacity), kNumberParameter});
  const Label loop = e.label(), done = e.label();
  const Reg at = copy(e, r[1]);
  e.bind(loop);
  e.jump_if_imm(Cond::kGe, at, static_cast<std::int32_t>(capacity), done);
  e.store_imm(8, sum(e, r[0], at), 0, 0);
  e.alu_imm(Alu::kAdd, at, 8);
  e.jump(loop);
  e.bind(done);
  ret_imm(e, 0);
}

void emit_fill_nuls(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const std::vector<Reg> r = begin_routine(
      e, name, "dt_memstr", {string_of(capacity), kNumberParameter, kNumberParameter});
  const Label loop = e.label(), last = e.label(), done = e.label();
  const Reg at = e.imm(0);
  ZeroBytes zero_bytes(e);
  const Reg byte = copy(e, r[1]), left = copy(e, r[2]);
  const Label fills = e.label();
  e.alu_imm(Alu::kAnd, byte, 0xff);
  e.jump_if_imm(Cond::kNe, byte, 0, fills);
  e.call_subprogram(unit.routine(Routine::Kind::kCut, capacity), {r[0]});
  ret_imm(e, 0);
  e.bind(fills);
  // A 1 for every NUL, times the byte, as far as `mask` goes. The multiplication
  // spreads one byte over all bytes that have a 1: 0x0001000001 * b is 0x00bb0000bb.
  const auto fill = [&](Reg mask) {
    const Reg p = sum(e, r[0], at);
    const Reg word = e.load(8, p, 0);
    const Reg ones = zero_bytes.all(word);
    e.alu_imm(Alu::kRsh, ones, 7);
    e.alu(Alu::kMul, ones, byte);
    if (mask.valid()) e.alu(Alu::kAnd, ones, mask);
    e.alu(Alu::kOr, word, ones);
    e.store(8, p, 0, word);
  };
  e.bind(loop);
  e.jump_if_imm(Cond::kLt, left, 8, last);
  fill({});
  e.alu_imm(Alu::kSub, left, 8);
  e.alu_imm(Alu::kAdd, at, 8);
  e.jump_if_imm(Cond::kLt, at, static_cast<std::int32_t>(capacity), loop);
  e.jump(done);
  e.bind(last);
  const Reg mask = e.imm(-1);
  e.alu_imm(Alu::kLsh, left, 3);
  e.alu(Alu::kLsh, mask, left);
  e.alu_imm(Alu::kXor, mask, -1);
  fill(mask);
  e.bind(done);
  ret_imm(e, 0);
}

}  // namespace dt::bpf
