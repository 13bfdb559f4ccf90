// Routines: numbers as strings and strings as numbers.
//
// Digits come out of a division from the last one to the first, so they are written from the end of
// a buffer, and the text is what is behind the last position.

#include "bpf/routine/string_code.h"
#include "bpf/routine/unit.h"

namespace dt::bpf {

namespace {

constexpr std::uint8_t kNoDigit = 0xff;

// By byte, the digit that it is in base 36.
std::vector<std::uint8_t> digit_table() {
  std::vector<std::uint8_t> table(256, kNoDigit);
  for (std::uint8_t i = 0; i < 10; ++i) table['0' + i] = i;
  for (std::uint8_t i = 0; i < 26; ++i) {
    table['a' + i] = static_cast<std::uint8_t>(10 + i);
    table['A' + i] = static_cast<std::uint8_t>(10 + i);
  }
  return table;
}

// Returns `otherwise` unless the base is 2 to 36.
void check_base(Emitter& e, Reg base, std::int64_t otherwise) {
  const Label good = e.label();
  const Reg above = copy(e, base);
  e.alu_imm(Alu::kSub, above, 2);
  e.jump_if_imm(Cond::kLe, above, 34, good);
  ret_imm(e, otherwise);
  e.bind(good);
}

}  // namespace

// From the last digit down to the first, so that the text ends where the buffer
// does. Returns where it begins.
void emit_to_text(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const std::vector<Reg> r = begin_routine(
      e, name, "dt_lltostr", {string_of(kNumberTextBytes), kNumberParameter, kNumberParameter});
  const Label loop = e.label(), done = e.label(), not_negative = e.label();
  const Label not_hex = e.label(), not_octal = e.label(), out = e.label();
  const Reg rest = copy(e, r[1]), base = r[2];
  check_base(e, base, kNumberTextBytes);
  e.jump_if_imm(Cond::kNe, base, 10, not_negative);
  e.jump_if_imm(Cond::kSge, rest, 0, not_negative);
  e.neg(rest);
  e.bind(not_negative);
  const Reg at = e.imm(kNumberTextBytes);
  const Reg to = copy(e, r[0]);
  e.alu_imm(Alu::kAdd, to, kNumberTextBytes);
  const auto put = [&](Reg byte) {
    e.alu_imm(Alu::kSub, at, 1);
    e.alu_imm(Alu::kSub, to, 1);
    e.store(1, to, 0, byte);
  };
  e.bind(loop);
  // '0' + digit, and where that is beyond '9' as much more as 'a' is.
  const Reg digit = copy(e, rest), letter = e.imm('9');
  e.alu(Alu::kMod, digit, base);
  e.alu_imm(Alu::kAdd, digit, '0');
  e.alu(Alu::kSub, letter, digit);
  e.alu_imm(Alu::kArsh, letter, 63);
  e.alu_imm(Alu::kAnd, letter, 'a' - '9' - 1);
  e.alu(Alu::kAdd, digit, letter);
  put(digit);
  e.alu(Alu::kDiv, rest, base);
  e.jump_if_imm(Cond::kEq, rest, 0, done);
  e.jump_if_imm(Cond::kGt, at, kNumberTextBytes - 64, loop);
  e.bind(done);
  e.jump_if_imm(Cond::kNe, base, 16, not_hex);
  put(e.imm('x'));
  put(e.imm('0'));
  e.bind(not_hex);
  e.jump_if_imm(Cond::kNe, base, 8, not_octal);
  e.jump_if_imm(Cond::kEq, r[1], 0, not_octal);
  put(e.imm('0'));
  e.bind(not_octal);
  e.jump_if_imm(Cond::kNe, base, 10, out);
  e.jump_if_imm(Cond::kSge, r[1], 0, out);
  put(e.imm('-'));
  e.bind(out);
  e.ret(at);
}

namespace {

// The digit of the byte at s + at + offset.
Reg digit_at(Unit& unit, std::uint32_t table, Reg s, Reg at, std::int32_t offset) {
  Emitter& e = unit.e;
  const Reg entry = e.map_value({MapKind::kRodata, 0}, table);
  e.alu(Alu::kAdd, entry, e.load(1, sum(e, s, at), offset));
  return e.load(1, entry, 0);
}

}  // namespace

void emit_blank_run(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_blank_run", {string_of(capacity), kNumberParameter});
  const Reg count = e.imm(0);
  const Label done = e.label();
  each_of_run(e, r[1], e.load(8, r[0], 0), capacity, done, count, [&](Reg at) {
    const Label blank = e.label();
    const Reg byte = e.load(1, sum(e, r[0], at), 0);
    e.jump_if_imm(Cond::kEq, byte, ' ', blank);
    e.jump_if_imm(Cond::kNe, byte, '\t', done);
    e.bind(blank);
  });
  e.ret(count);
}

void emit_digit_run(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const std::vector<Reg> r = begin_routine(
      e, name, "dt_digit_run", {string_of(capacity), kNumberParameter, kNumberParameter});
  const std::uint32_t table = unit.add_rodata(digit_table());
  const Reg count = e.imm(0);
  const Label done = e.label();
  each_of_run(e, r[1], e.load(8, r[0], 0), capacity, done, count, [&](Reg at) {
    e.jump_if(Cond::kGe, digit_at(unit, table, r[0], at, 0), r[2], done);
  });
  e.ret(count);
}

void emit_digit_sum(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_digit_sum",
                    {string_of(capacity), kNumberParameter, kNumberParameter, kNumberParameter});
  const std::uint32_t table = unit.add_rodata(digit_table());
  const Reg count = e.imm(0), value = copy(e, r[3]);
  forget(e, value, e.load(8, r[0], 0));
  const Label done = e.label();
  each_of_run(e, r[1], e.load(8, r[0], 0), capacity, done, count, [&](Reg at) {
    const Reg digit = digit_at(unit, table, r[0], at, 0);
    e.jump_if(Cond::kGe, digit, r[2], done);
    e.alu(Alu::kMul, value, r[2]);
    e.alu(Alu::kAdd, value, digit);
  });
  e.ret(value);
}

void emit_to_number(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_strtoll", {string_of(capacity), kNumberParameter});
  const auto bytes = static_cast<std::int32_t>(capacity);
  const Label blank = e.label(), next = e.label(), sign = e.label(), minus = e.label();
  const Label skip = e.label(), prefix = e.label(), digits = e.label(), loop = e.label();
  const Label end = e.label(), positive = e.label(), past = e.label();
  check_base(e, r[1], 0);
  const std::uint32_t table_at = unit.add_rodata(digit_table());
  const Reg unknown = e.load(8, r[0], 0);
  const Reg at = e.imm(0), value = e.imm(0), is_negative = e.imm(0);
  const Reg first = e.reg();
  if (is_wide(capacity)) {
    const Label blanks = unit.routine(Routine::Kind::kBlankRun, capacity);
    pass_run(e, at, capacity, [&] { return e.call_subprogram(blanks, {r[0], at}); });
    forget(e, at, unknown);
    e.jump_if_imm(Cond::kGe, at, bytes, past);
    e.load_to(first, 1, sum(e, r[0], at), 0);
    e.jump(sign);
  } else {
    e.bind(blank);
    e.load_to(first, 1, sum(e, r[0], at), 0);
    e.jump_if_imm(Cond::kEq, first, ' ', next);
    e.jump_if_imm(Cond::kNe, first, '\t', sign);
    e.bind(next);
    e.alu_imm(Alu::kAdd, at, 1);
    e.jump_if_imm(Cond::kLt, at, bytes, blank);
  }
  e.bind(past);
  ret_imm(e, 0);

  e.bind(sign);
  e.jump_if_imm(Cond::kEq, first, '-', minus);
  e.jump_if_imm(Cond::kNe, first, '+', prefix);
  e.jump(skip);
  e.bind(minus);
  e.mov_imm(is_negative, 1);
  e.bind(skip);
  e.alu_imm(Alu::kAdd, at, 1);
  e.bind(prefix);
  forget(e, at, unknown);
  forget(e, is_negative, unknown);
  e.jump_if_imm(Cond::kGe, at, bytes, past);
  e.jump_if_imm(Cond::kNe, r[1], 16, digits);
  e.jump_if_imm(Cond::kNe, e.load(1, sum(e, r[0], at), 0), '0', digits);
  const Reg x = e.load(1, sum(e, r[0], at), 1);
  e.alu_imm(Alu::kOr, x, 'x' - 'X');
  e.jump_if_imm(Cond::kNe, x, 'x', digits);
  e.jump_if_imm(Cond::kGe, digit_at(unit, table_at, r[0], at, 2), 16, digits);
  e.alu_imm(Alu::kAdd, at, 2);
  e.bind(digits);
  forget(e, at, unknown);
  e.jump_if_imm(Cond::kGe, at, bytes, past);

  if (is_wide(capacity)) {
    const Label run = unit.routine(Routine::Kind::kDigitRun, capacity);
    const Label add = unit.routine(Routine::Kind::kDigitSum, capacity);
    pass_run(e, at, capacity, [&] {
      const Reg count = e.call_subprogram(run, {r[0], at, r[1]});
      e.mov(value, e.call_subprogram(add, {r[0], at, r[1], value}));
      return count;
    });
  } else {
    e.bind(loop);
    const Reg digit = digit_at(unit, table_at, r[0], at, 0);
    e.jump_if(Cond::kGe, digit, r[1], end);
    e.alu(Alu::kMul, value, r[1]);
    e.alu(Alu::kAdd, value, digit);
    e.alu_imm(Alu::kAdd, at, 1);
    e.jump_if_imm(Cond::kLt, at, bytes, loop);
  }
  e.bind(end);
  e.jump_if_imm(Cond::kEq, is_negative, 0, positive);
  e.neg(value);
  e.bind(positive);
  e.ret(value);
}

}  // namespace dt::bpf
