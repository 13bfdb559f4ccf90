#pragma once
// What the string routines are written with: a few instructions at a time.

#include <cstdint>
#include <vector>

#include "bpf/asm/emitter.h"
#include "bpf/routine/routine.h"
#include "kernel/function.h"

namespace dt::bpf {

// A parameter of a routine: a number, or a string of this capacity.
constexpr kernel::Parameter kNumberParameter = {};
constexpr kernel::Parameter string_of(std::uint32_t capacity) {
  return {kernel::Parameter::Kind::kMemory, capacity + kOperandSlack};
}

// Begins a routine: its parameters. As far as the verifier knows an address may
// be NULL; then the routine returns -1.
std::vector<Reg> begin_routine(Emitter& e, Label name, const char* symbol,
                               const std::vector<kernel::Parameter>& parameters);

Reg copy(Emitter& e, Reg value);
Reg sum(Emitter& e, Reg a, Reg b);
void ret_imm(Emitter& e, std::int64_t value);

// The byte eight times.
Reg repeated(Emitter& e, Reg byte);

// Tells the bytes of words that are zero: kHigh bits of a word.
class ZeroBytes {
 public:
  explicit ZeroBytes(Emitter& e);
  // Non-zero when a byte of `word` is; its lowest bit is in the first of them.
  // Bits above that one may be in bytes that hold 1.
  Reg first(Reg word);
  // A high bit for every byte that is zero and no other.
  Reg all(Reg word);

 private:
  Emitter& e_;
  Reg ones_, high_;
};

// Which byte the lowest bit of `bits` is in: 0..7.
Reg first_byte(Emitter& e, Reg bits);

// The value unchanged, in a way that the verifier does not follow: code behind
// a loop is then looked at once and not for every iteration that leaves it.
// `unknown` is anything that the verifier knows nothing of.
void forget(Emitter& e, Reg value, Reg unknown);

// A pointer that the verifier knows becomes a number.
void forget_pointer(Emitter& e, Reg pointer);

// Runs of bytes of one sort, in strings of any length (kWindow says why). One
// routine counts a window of them: from `from` on `body`, which is given the place,
// goes to `done` at the first byte that is of another sort.
template <typename Body>
void each_of_run(Emitter& e, Reg from, Reg unknown, std::uint32_t capacity, Label done, Reg count,
                 const Body& body) {
  const Label loop = e.label();
  const Reg at = copy(e, from);
  forget(e, at, unknown);
  e.bind(loop);
  e.jump_if_imm(Cond::kGe, at, static_cast<std::int32_t>(capacity), done);
  body(at);
  e.alu_imm(Alu::kAdd, at, 1);
  e.alu_imm(Alu::kAdd, count, 1);
  e.jump_if_imm(Cond::kLt, count, static_cast<std::int32_t>(kWindow), loop);
  e.bind(done);
}

// The other moves `at` behind the whole run: `run` calls the first from there, for
// the count, until that is less than a window.
template <typename Run>
void pass_run(Emitter& e, Reg at, std::uint32_t capacity, const Run& run) {
  const Label more = e.label(), over = e.label();
  const Reg calls = e.imm(capacity / kWindow + 1);
  e.bind(more);
  const Reg count = run();
  e.alu(Alu::kAdd, at, count);
  e.jump_if_imm(Cond::kNe, count, static_cast<std::int32_t>(kWindow), over);
  e.alu_imm(Alu::kSub, calls, 1);
  e.jump_if_imm(Cond::kNe, calls, 0, more);
  e.bind(over);
}

}  // namespace dt::bpf
