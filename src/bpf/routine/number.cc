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
  // '0' + digit, and where that is beyond '9' as much more as 'a' is: 1 times that, or 0 times.
  // Verifiers since 6.18 would follow a mask both ways, at each digit.
  const Reg digit = copy(e, rest), letter = e.imm('9');
  e.alu(Alu::kMod, digit, base);
  e.alu_imm(Alu::kAdd, digit, '0');
  e.alu(Alu::kSub, letter, digit);
  e.alu_imm(Alu::kRsh, letter, 63);
  e.alu_imm(Alu::kMul, letter, 'a' - '9' - 1);
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

namespace {

// Writes emit_to_number()'s function: blanks, a sign, 0x where the base is 16, and the digits.
class NumberCode {
 public:
  NumberCode(Unit& unit, Reg text, Reg base, std::uint32_t capacity)
      : unit_(unit), e_(unit.e), text_(text), base_(base), capacity_(capacity) {}

  void write() {
    check_base(e_, base_, 0);
    table_ = unit_.add_rodata(digit_table());
    unknown_ = e_.load(8, text_, 0);
    at_ = e_.imm(0);
    value_ = e_.imm(0);
    is_negative_ = e_.imm(0);
    first_ = e_.reg();
    skip_blanks();
    e_.bind(past_);
    ret_imm(e_, 0);
    take_sign();
    skip_prefix();
    add_digits();
    const Label positive = e_.label();
    e_.jump_if_imm(Cond::kEq, is_negative_, 0, positive);
    e_.neg(value_);
    e_.bind(positive);
    e_.ret(value_);
  }

 private:
  std::int32_t bytes() const { return static_cast<std::int32_t>(capacity_); }

  // `first_` becomes the byte behind the blanks, and the code goes on at `sign_`; behind this code
  // where there is nothing but blanks.
  void skip_blanks() {
    if (is_wide(capacity_)) {
      const Label blanks = unit_.routine(Routine::Kind::kBlankRun, capacity_);
      pass_run(e_, at_, capacity_, [&] { return e_.call_subprogram(blanks, {text_, at_}); });
      forget(e_, at_, unknown_);
      e_.jump_if_imm(Cond::kGe, at_, bytes(), past_);
      e_.load_to(first_, 1, sum(e_, text_, at_), 0);
      return e_.jump(sign_);
    }
    const Label blank = e_.label(), next = e_.label();
    e_.bind(blank);
    e_.load_to(first_, 1, sum(e_, text_, at_), 0);
    e_.jump_if_imm(Cond::kEq, first_, ' ', next);
    e_.jump_if_imm(Cond::kNe, first_, '\t', sign_);
    e_.bind(next);
    e_.alu_imm(Alu::kAdd, at_, 1);
    e_.jump_if_imm(Cond::kLt, at_, bytes(), blank);
  }

  void take_sign() {
    const Label minus = e_.label(), skip = e_.label(), none = e_.label();
    e_.bind(sign_);
    e_.jump_if_imm(Cond::kEq, first_, '-', minus);
    e_.jump_if_imm(Cond::kNe, first_, '+', none);
    e_.jump(skip);
    e_.bind(minus);
    e_.mov_imm(is_negative_, 1);
    e_.bind(skip);
    e_.alu_imm(Alu::kAdd, at_, 1);
    e_.bind(none);
    forget(e_, at_, unknown_);
    forget(e_, is_negative_, unknown_);
    e_.jump_if_imm(Cond::kGe, at_, bytes(), past_);
  }

  // 0x is a prefix only where a digit follows: otherwise its 0 is the number.
  void skip_prefix() {
    const Label digits = e_.label();
    e_.jump_if_imm(Cond::kNe, base_, 16, digits);
    e_.jump_if_imm(Cond::kNe, e_.load(1, sum(e_, text_, at_), 0), '0', digits);
    const Reg x = e_.load(1, sum(e_, text_, at_), 1);
    e_.alu_imm(Alu::kOr, x, 'x' - 'X');
    e_.jump_if_imm(Cond::kNe, x, 'x', digits);
    e_.jump_if_imm(Cond::kGe, digit_at(unit_, table_, text_, at_, 2), 16, digits);
    e_.alu_imm(Alu::kAdd, at_, 2);
    e_.bind(digits);
    forget(e_, at_, unknown_);
    e_.jump_if_imm(Cond::kGe, at_, bytes(), past_);
  }

  void add_digits() {
    if (is_wide(capacity_)) {
      const Label run = unit_.routine(Routine::Kind::kDigitRun, capacity_);
      const Label add = unit_.routine(Routine::Kind::kDigitSum, capacity_);
      return pass_run(e_, at_, capacity_, [&] {
        const Reg count = e_.call_subprogram(run, {text_, at_, base_});
        e_.mov(value_, e_.call_subprogram(add, {text_, at_, base_, value_}));
        return count;
      });
    }
    const Label loop = e_.label(), end = e_.label();
    e_.bind(loop);
    const Reg digit = digit_at(unit_, table_, text_, at_, 0);
    e_.jump_if(Cond::kGe, digit, base_, end);
    e_.alu(Alu::kMul, value_, base_);
    e_.alu(Alu::kAdd, value_, digit);
    e_.alu_imm(Alu::kAdd, at_, 1);
    e_.jump_if_imm(Cond::kLt, at_, bytes(), loop);
    e_.bind(end);
  }

  Unit& unit_;
  Emitter& e_;
  Reg text_, base_;
  std::uint32_t capacity_;
  std::uint32_t table_ = 0;  // of digits, in the read-only data
  Reg unknown_;              // see forget()
  Reg at_;                   // the place in the text
  Reg value_, is_negative_;
  Reg first_;  // the byte behind the blanks
  Label sign_ = e_.label(), past_ = e_.label();
};

}  // namespace

void emit_to_number(Unit& unit, Label name, std::uint32_t capacity) {
  const std::vector<Reg> r =
      begin_routine(unit.e, name, "dt_strtoll", {string_of(capacity), kNumberParameter});
  NumberCode(unit, r[0], r[1], capacity).write();
}

}  // namespace dt::bpf
