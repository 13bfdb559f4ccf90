// See address_texts.h.

#include "bpf/select/address_texts.h"

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <vector>

#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/storage.h"
#include "bpf/select/values.h"
#include "ir/address_text.h"

namespace dt::bpf {

namespace {

constexpr std::int32_t kMostText = 63;
constexpr std::uint32_t kTextRoom = 80;  // kMostText, and eight bytes written there
constexpr std::int32_t kGroups = 8;      // of an IPv6 address, 16 bits each
constexpr std::uint8_t kNoRun = 0xff;

// By byte: "255." and the like, in four bytes.
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

std::vector<std::uint8_t> hexadecimal_table() {
  std::vector<std::uint8_t> table;
  for (int i = 0; i < 256; ++i) {
    const std::string text = fmt::format("{:02x}", i);
    table.insert(table.end(), text.begin(), text.end());
  }
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

}  // namespace

AddressTexts::AddressTexts(FunctionContext& f, Storage& storage, Values& values, Bytes& bytes)
    : f_(f), unit_(f.unit), e_(f.e), storage_(storage), values_(values), bytes_(bytes) {}

// The byte of a table in rodata at `index`, which is below 256.
Reg AddressTexts::table_entry(std::uint32_t table, Reg index, std::uint32_t size) {
  const Reg place = e_.reg();
  e_.mov(place, index);
  e_.alu_imm(Alu::kAnd, place, 255);
  if (size > 1) e_.alu_imm(Alu::kMul, place, static_cast<std::int32_t>(size));
  const Reg base = f_.rodata(table).base;
  e_.alu(Alu::kAdd, base, place);
  return e_.load(size, base, 0);
}

// Where the text is to go on; `length` is what is written there.
Reg AddressTexts::address_end(const AddressText& text) {
  const Reg offset = e_.load(8, text.length.base, text.length.offset);
  e_.alu_imm(Alu::kAnd, offset, kMostText);
  const Reg place = e_.reg();
  e_.mov(place, text.buffer);
  e_.alu(Alu::kAdd, place, offset);
  return place;
}

void AddressTexts::address_grow(const AddressText& text, Reg by) {
  const Reg length = e_.load(8, text.length.base, text.length.offset);
  e_.alu(Alu::kAdd, length, by);
  e_.store(8, text.length.base, text.length.offset, length);
}

void AddressTexts::address_colon(const AddressText& text) {
  e_.store_imm(1, address_end(text), 0, ':');
  address_grow(text, e_.imm(1));
}

// The four bytes at `from` as decimals; the last one's point gives way to zeros.
void AddressTexts::address_inet(const AddressText& text, Place from) {
  const std::uint32_t digits = unit_.add_rodata(decimal_table());
  const std::uint32_t lengths = unit_.add_rodata(decimal_lengths());
  for (std::int32_t i = 0; i < 4; ++i) {
    const Reg byte = e_.load(1, from.base, from.offset + i);
    e_.store(4, address_end(text), 0, table_entry(digits, byte, 4));
    address_grow(text, table_entry(lengths, byte, 1));
  }
  address_grow(text, e_.imm(-1));
}

// 16 bits without leading zeros: moved to the left by the digits that they
// lack, then four digits.
void AddressTexts::address_group(const AddressText& text, Reg group) {
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
  const Reg left = e_.reg();
  e_.mov(left, group);
  e_.alu(Alu::kLsh, left, shift);
  const std::uint32_t table = unit_.add_rodata(hexadecimal_table());
  const Reg place = address_end(text);
  e_.store(2, place, 2, table_entry(table, left, 2));
  e_.alu_imm(Alu::kRsh, left, 8);
  e_.store(2, place, 0, table_entry(table, left, 2));
  address_grow(text, digits);
}

// The longest run of zero groups as "::". An address that carries one of IPv4, ::a.b.c.d
// or ::ffff:a.b.c.d, is written as that one. The run is kept in memory, as the length is.
void AddressTexts::address_inet6(const AddressText& text, Place from) {
  const Reg zeros = e_.imm(0);
  for (std::int32_t i = 0; i < kGroups; ++i) {
    const Reg group = e_.load(2, from.base, from.offset + i * 2);
    e_.alu_imm(Alu::kSub, group, 1);
    e_.alu_imm(Alu::kRsh, group, 63);
    if (i > 0) e_.alu_imm(Alu::kLsh, group, i);
    e_.alu(Alu::kOr, zeros, group);
  }
  const Reg found = table_entry(unit_.add_rodata(run_table()), zeros, 1);
  e_.store(8, text.run.base, text.run.offset, found);
  const Label carries = e_.label(), plain = e_.label(), whole = e_.label();
  e_.jump_if_imm(Cond::kEq, found, 6 << 4, carries);
  e_.jump_if_imm(Cond::kNe, found, 5 << 4, plain);
  e_.jump_if_imm(Cond::kNe, e_.load(2, from.base, from.offset + 10), 0xffff, plain);
  e_.bind(carries);
  address_inet(text, {from.base, from.offset + 12});
  e_.jump(whole);
  e_.bind(plain);
  address_groups(text, from);
  const Reg end = e_.load(8, text.run.base, text.run.offset);
  e_.alu_imm(Alu::kRsh, end, 4);
  e_.jump_if_imm(Cond::kNe, end, kGroups, whole);
  address_colon(text);
  e_.bind(whole);
}

void AddressTexts::address_groups(const AddressText& text, Place from) {
  const Label loop = e_.label(), shown = e_.label(), first = e_.label(), next = e_.label();
  const Reg i = e_.imm(0);
  e_.bind(loop);
  const Reg end = e_.load(8, text.run.base, text.run.offset), start = e_.reg();
  e_.mov(start, end);
  e_.alu_imm(Alu::kAnd, start, 15);
  e_.alu_imm(Alu::kRsh, end, 4);
  e_.jump_if(Cond::kLt, i, start, shown);
  e_.jump_if(Cond::kGe, i, end, shown);
  e_.jump_if(Cond::kNe, i, start, next);
  address_colon(text);
  e_.jump(next);
  e_.bind(shown);
  e_.jump_if_imm(Cond::kEq, i, 0, first);
  address_colon(text);
  e_.bind(first);
  const Reg at = e_.reg();
  e_.mov(at, i);
  e_.alu_imm(Alu::kLsh, at, 1);
  e_.alu(Alu::kAdd, at, f_.address(from));
  const Reg group = e_.load(2, at, 0);
  e_.byte_swap(group, 2);
  address_group(text, group);
  e_.bind(next);
  e_.alu_imm(Alu::kAdd, i, 1);
  e_.jump_if_imm(Cond::kLt, i, kGroups, loop);
}

void AddressTexts::address_text(const ir::Inst& inst) {
  const auto kind = static_cast<ir::AddressKind>(inst.imm);
  const Place from = storage_.frame_place(16, f_.position);
  for (std::size_t i = 0; i < inst.args.size(); ++i) {
    e_.store(8, from.base, from.offset + static_cast<std::int32_t>(i * 8),
             values_.reg(inst.args[i]));
  }
  const Place buffer = storage_.frame_place(kTextRoom, f_.last_use(inst.result));
  bytes_.zero(buffer, kTextRoom);
  if (kind == ir::AddressKind::kEther) {
    const std::uint32_t table = unit_.add_rodata(hexadecimal_table());
    for (std::int32_t i = 0; i < 6; ++i) {
      const Reg byte = e_.load(1, from.base, from.offset + i);
      e_.store(2, buffer.base, buffer.offset + i * 3, table_entry(table, byte, 2));
      if (i < 5) e_.store_imm(1, buffer.base, buffer.offset + i * 3 + 2, ':');
    }
    return values_.define_memory(inst, buffer, words_up(inst.type.size));
  }
  const AddressText text = {.buffer = f_.address(buffer),
                            .length = storage_.frame_place(8, f_.position),
                            .run = storage_.frame_place(8, f_.position)};
  e_.store_imm(8, text.length.base, text.length.offset, 0);
  if (kind == ir::AddressKind::kInet)
    address_inet(text, from);
  else
    address_inet6(text, from);
  e_.store_imm(8, address_end(text), 0, 0);
  values_.define_memory(inst, buffer, words_up(inst.type.size));
}

}  // namespace dt::bpf
