// See address_text.h.
//
// The text is written from the left into a buffer of zeros; how far it has come is kept in memory,
// of which the verifier knows nothing, and is held below kMostText before every use. What is
// written may be longer than what it is for; the next write, or the zeros at the end, cover the
// rest.

#include "bpf/routine/address_text.h"

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bpf/routine/string_code.h"
#include "bpf/routine/unit.h"

namespace dt::bpf {

std::vector<std::uint8_t> hexadecimal_bytes() {
  std::vector<std::uint8_t> table;
  for (int i = 0; i < 256; ++i) {
    const std::string text = fmt::format("{:02x}", i);
    table.insert(table.end(), text.begin(), text.end());
  }
  return table;
}

Reg byte_entry(Unit& unit, std::uint32_t table, Reg index, std::uint32_t size) {
  Emitter& e = unit.e;
  const Reg place = copy(e, index);
  e.alu_imm(Alu::kAnd, place, 255);
  if (size > 1) e.alu_imm(Alu::kMul, place, static_cast<std::int32_t>(size));
  const Reg base = e.map_value({MapKind::kRodata, 0}, table);
  e.alu(Alu::kAdd, base, place);
  return e.load(size, base, 0);
}

namespace {

constexpr std::int32_t kMostText = 63;
constexpr std::int32_t kGroups = 8;  // of an IPv6 address, 16 bits each
constexpr std::uint8_t kNoRun = 0xff;

// By byte: "255." and similar, in four bytes.
std::vector<std::uint8_t> decimal_table() {
  std::vector<std::uint8_t> table;
  for (int i = 0; i < 256; ++i) {
    std::string text = fmt::format("{}.", i);
    text.resize(4, '\0');
    table.insert(table.end(), text.begin(), text.end());
  }
  return table;
}

std::vector<std::uint8_t> decimal_lengths() {
  std::vector<std::uint8_t> table;
  for (int i = 0; i < 256; ++i) table.push_back(i < 10 ? 2 : i < 100 ? 3 : 4);
  return table;
}

// By the set of an address's groups that are 0: where the first of the longest
// runs of two or more begins (low half) and ends (high half), or kNoRun.
std::vector<std::uint8_t> run_table() {
  std::vector<std::uint8_t> table;
  for (int zeros = 0; zeros < 256; ++zeros) {
    int best = 1;
    std::uint8_t found = kNoRun;
    for (int from = 0; from < kGroups; ++from) {
      int to = from;
      while (to < kGroups && (zeros >> to & 1) != 0) ++to;
      if (to - from <= best) continue;
      best = to - from;
      found = static_cast<std::uint8_t>(from | to << 4);
    }
    table.push_back(found);
  }
  return table;
}

// Writes the functions.
class AddressCode {
 public:
  AddressCode(Unit& unit, Label name, const char* symbol) : unit_(unit), e_(unit.e) {
    using Kind = kernel::Parameter::Kind;
    const std::vector<Reg> r = begin_routine(
        e_, name, symbol, {{Kind::kMemory, kAddressTextRoom}, {Kind::kMemory, kAddressWordBytes}});
    buffer_ = r[0];
    words_ = r[1];
    e_.store_imm(8, words_, kLength, 0);
  }

  // The four bytes at `from` as decimals; the last one's point gives way to zeros.
  void inet(std::int32_t from) {
    const std::uint32_t digits = unit_.add_rodata(decimal_table());
    const std::uint32_t lengths = unit_.add_rodata(decimal_lengths());
    for (std::int32_t i = 0; i < 4; ++i) {
      const Reg byte = e_.load(1, words_, from + i);
      e_.store(4, end(), 0, byte_entry(unit_, digits, byte, 4));
      grow(byte_entry(unit_, lengths, byte, 1));
    }
    grow(e_.imm(-1));
  }

  // The longest run of zero groups as "::". An address that carries one of IPv4, ::a.b.c.d
  // or ::ffff:a.b.c.d, is written as that one. The run is kept in memory, as the length is.
  void inet6() {
    const Reg zeros = e_.imm(0);
    for (std::int32_t i = 0; i < kGroups; ++i) {
      const Reg group = e_.load(2, words_, i * 2);
      e_.alu_imm(Alu::kSub, group, 1);
      e_.alu_imm(Alu::kRsh, group, 63);
      if (i > 0) e_.alu_imm(Alu::kLsh, group, i);
      e_.alu(Alu::kOr, zeros, group);
    }
    const Reg found = byte_entry(unit_, unit_.add_rodata(run_table()), zeros, 1);
    e_.store(8, words_, kRun, found);
    const Label carries = e_.label(), plain = e_.label(), whole = e_.label();
    e_.jump_if_imm(Cond::kEq, found, 6 << 4, carries);
    e_.jump_if_imm(Cond::kNe, found, 5 << 4, plain);
    e_.jump_if_imm(Cond::kNe, e_.load(2, words_, 10), 0xffff, plain);
    e_.bind(carries);
    inet(12);
    e_.jump(whole);
    e_.bind(plain);
    groups();
    const Reg behind = e_.load(8, words_, kRun);
    e_.alu_imm(Alu::kRsh, behind, 4);
    e_.jump_if_imm(Cond::kNe, behind, kGroups, whole);
    colon();
    e_.bind(whole);
  }

  void finish() {
    e_.store_imm(8, end(), 0, 0);
    ret_imm(e_, 0);
  }

 private:
  // Behind the address in `words_`: the length of the text so far, and of an IPv6 address the
  // zeros.
  enum Word : std::int32_t { kLength = 16, kRun = 24 };

  // Where the text is to go on; the length is what is written there.
  Reg end() {
    const Reg offset = e_.load(8, words_, kLength);
    e_.alu_imm(Alu::kAnd, offset, kMostText);
    return sum(e_, buffer_, offset);
  }

  void grow(Reg by) {
    const Reg length = e_.load(8, words_, kLength);
    e_.alu(Alu::kAdd, length, by);
    e_.store(8, words_, kLength, length);
  }

  void colon() {
    e_.store_imm(1, end(), 0, ':');
    grow(e_.imm(1));
  }

  // 16 bits without leading zeros: moved to the left by the digits that they
  // lack, then four digits.
  void group(Reg group) {
    const Reg digits = e_.imm(1);
    for (const std::int32_t limit : {0xf, 0xff, 0xfff}) {
      const Reg more = e_.imm(limit);
      e_.alu(Alu::kSub, more, group);
      e_.alu_imm(Alu::kRsh, more, 63);
      e_.alu(Alu::kAdd, digits, more);
    }
    const Reg shift = e_.imm(4);
    e_.alu(Alu::kSub, shift, digits);
    e_.alu_imm(Alu::kLsh, shift, 2);
    const Reg left = copy(e_, group);
    e_.alu(Alu::kLsh, left, shift);
    const std::uint32_t table = unit_.add_rodata(hexadecimal_bytes());
    const Reg place = end();
    e_.store(2, place, 2, byte_entry(unit_, table, left, 2));
    e_.alu_imm(Alu::kRsh, left, 8);
    e_.store(2, place, 0, byte_entry(unit_, table, left, 2));
    grow(digits);
  }

  void groups() {
    const Label loop = e_.label(), shown = e_.label(), first = e_.label(), next = e_.label();
    const Reg i = e_.imm(0);
    e_.bind(loop);
    const Reg behind = e_.load(8, words_, kRun), start = copy(e_, behind);
    e_.alu_imm(Alu::kAnd, start, 15);
    e_.alu_imm(Alu::kRsh, behind, 4);
    e_.jump_if(Cond::kLt, i, start, shown);
    e_.jump_if(Cond::kGe, i, behind, shown);
    e_.jump_if(Cond::kNe, i, start, next);
    colon();
    e_.jump(next);
    e_.bind(shown);
    e_.jump_if_imm(Cond::kEq, i, 0, first);
    colon();
    e_.bind(first);
    const Reg at = copy(e_, i);
    e_.alu_imm(Alu::kLsh, at, 1);
    const Reg value = e_.load(2, sum(e_, words_, at), 0);
    e_.byte_swap(value, 2);
    group(value);
    e_.bind(next);
    e_.alu_imm(Alu::kAdd, i, 1);
    e_.jump_if_imm(Cond::kLt, i, kGroups, loop);
  }

  Unit& unit_;
  Emitter& e_;
  Reg buffer_, words_;
};

}  // namespace

void emit_inet_text(Unit& unit, Label name) {
  AddressCode code(unit, name, "dt_inet_text");
  code.inet(0);
  code.finish();
}

void emit_inet6_text(Unit& unit, Label name) {
  AddressCode code(unit, name, "dt_inet6_text");
  code.inet6();
  code.finish();
}

}  // namespace dt::bpf
