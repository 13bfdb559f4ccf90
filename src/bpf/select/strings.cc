// See strings.h.
//
// A string of D has a size that is known when the program is compiled; behind its NUL are zeros. So
// two strings are equal if their words are equal, and are compared eight bytes at a time. The order
// of two words is that of their bytes from the front, so words are swapped to big-endian before
// they are compared.
//
// Short strings are compared by unrolled code, longer ones by a loop, as the verifier goes through
// every turn of a loop whose end depends on data.

#include "bpf/select/strings.h"

#include <linux/bpf.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bpf/asm/lir.h"
#include "bpf/routine/routine.h"
#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/storage.h"
#include "bpf/select/values.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

constexpr std::uint32_t kChunkWords = kComparedChunk / 8;

}  // namespace

void Strings::string_literal(const ir::Inst& inst) {
  const std::string& text = unit_.program.strings[inst.index];
  const auto bytes = static_cast<std::uint32_t>(text.size() + 1);
  if (bytes <= inst.type.size) {
    values_[inst.result] = {.kind = Value::Kind::kConstString,
                            .type = inst.type,
                            .string = inst.index,
                            .avail = words_up(bytes)};
    return;
  }
  std::vector<std::uint8_t> cut(text.begin(), text.begin() + inst.type.size);
  cut.back() = 0;
  values_.define_memory(inst, f_.rodata(unit_.add_rodata(cut)), words_up(inst.type.size));
}

// ---- Comparison ---------------------------------------------------------------

void Strings::string_compare(const ir::Inst& inst) {
  const Value& a = values_.value(inst.args[0]);
  const Value& b = values_.value(inst.args[1]);
  // Both are NUL-terminated and zero-padded: where the shorter one's room ends
  // without a difference, both have ended.
  const std::uint32_t words = std::min(a.avail, b.avail) / 8;
  const Reg result = e_.reg();
  const Comparison how = {.words = words,
                          .ordered = !f_.analysis.equality_only[inst.result],
                          .complemented = values_.outlives_comparison(inst.args[0]) ||
                                          values_.outlives_comparison(inst.args[1])};
  if (words <= kUnrolledWords)
    compare_words(a, b, how, result);
  else if (is_wide(words * 8))
    compare_wide(inst, how, result);
  else
    compare_long(a, b, how, result);
  values_.define(inst, result);
}

// result = sign of (a - b) as big-endian words; only reached when they differ.
void Strings::order(Reg a, Reg b, Reg result) {
  const Label done = e_.label();
  e_.byte_swap(a, 8);
  e_.byte_swap(b, 8);
  e_.mov_imm(result, 1);
  e_.jump_if(Cond::kGt, a, b, done);
  e_.mov_imm(result, -1);
  e_.bind(done);
}

void Strings::compare_words(const Value& a, const Value& b, Comparison how, Reg result) {
  const Label differ = e_.label(), done = e_.label();
  const Reg left = e_.reg(), right = e_.reg();
  if (!how.ordered) e_.mov_imm(result, 1);
  for (std::uint32_t i = 0; i < how.words; ++i) {
    const auto known = bytes_.constant_word(b, i);
    e_.mov(left, bytes_.word(a, i));
    if (how.complemented) e_.alu_imm(Alu::kXor, left, -1);
    if (!how.ordered && known && fits_s32(static_cast<std::int64_t>(*known))) {
      const auto want = static_cast<std::int32_t>(*known);
      e_.jump_if_imm(Cond::kNe, left, how.complemented ? ~want : want, done);
      continue;
    }
    e_.mov(right, bytes_.word(b, i));
    if (how.complemented) e_.alu_imm(Alu::kXor, right, -1);
    e_.jump_if(Cond::kNe, left, right, how.ordered ? differ : done);
  }
  e_.mov_imm(result, 0);
  if (how.ordered) {
    e_.jump(done);
    e_.bind(differ);
    if (how.complemented)
      order(right, left, result);
    else
      order(left, right, result);
  }
  e_.bind(done);
}

// Sixteen words at a time: a verifier that follows every iteration of the loop
// has few branches to remember. The place of the first difference goes through
// memory, which makes it unknown to the verifier, so that the code behind the
// loop is looked at once and not once for each place.
void Strings::compare_long(const Value& a, const Value& b, Comparison how, Reg result) {
  const std::uint32_t chunk_bytes = kChunkWords * 8;
  const std::uint32_t chunks = how.words / kChunkWords;
  const std::uint32_t rest = how.words % kChunkWords;
  const std::uint32_t bytes = how.words * 8;
  const Reg left = f_.address(bytes_.in_memory(a, bytes, f_.position));
  const Reg right = f_.address(bytes_.in_memory(b, bytes, f_.position));
  const Place note = storage_.frame_place(8, f_.position);
  const Label loop = e_.label(), found = e_.label(), done = e_.label();
  const Reg i = e_.imm(0);
  const Reg p = e_.reg(), q = e_.reg();
  e_.bind(loop);
  e_.mov(p, left);
  e_.alu(Alu::kAdd, p, i);
  e_.mov(q, right);
  e_.alu(Alu::kAdd, q, i);
  const Reg difference = e_.imm(0);
  for (std::uint32_t w = 0; w < kChunkWords; ++w) {
    const auto offset = static_cast<std::int32_t>(w * 8);
    const Reg x = e_.load(8, p, offset);
    e_.alu(Alu::kXor, x, e_.load(8, q, offset));
    e_.alu(Alu::kOr, difference, x);
  }
  e_.jump_if_imm(Cond::kNe, difference, 0, found);
  e_.alu_imm(Alu::kAdd, i, static_cast<std::int32_t>(chunk_bytes));
  e_.jump_if_imm(Cond::kLt, i, static_cast<std::int32_t>(chunks * chunk_bytes), loop);
  if (rest > 0) {
    // The last words again, as a whole chunk that ends at the end.
    e_.mov_imm(i, bytes - chunk_bytes);
    e_.jump(found);
  } else {
    e_.mov_imm(result, 0);
    e_.jump(done);
  }
  e_.bind(found);
  e_.store(8, note.base, note.offset, i);
  e_.mov_imm(result, 0);
  const Reg at = e_.held();
  e_.load_to(at, 8, note.base, note.offset);
  e_.jump_if_imm(Cond::kGt, at, static_cast<std::int32_t>(bytes - chunk_bytes), done);
  e_.mov(p, left);
  e_.alu(Alu::kAdd, p, at);
  e_.mov(q, right);
  e_.alu(Alu::kAdd, q, at);
  Value x = a, y = b;
  x.kind = y.kind = Value::Kind::kMemory;
  x.place = {p, 0};
  y.place = {q, 0};
  compare_words(x, y, {.words = kChunkWords, .ordered = how.ordered}, result);
  e_.bind(done);
}

// A routine finds where they differ.
void Strings::compare_wide(const ir::Inst& inst, Comparison how, Reg result) {
  const std::uint32_t bytes = how.words * 8;
  const Bytes::StringOperand a = bytes_.operand(inst.args[0]), b = bytes_.operand(inst.args[1]);
  const Label routine = unit_.routine(Routine::Kind::kDifference, bytes);
  const Label done = e_.label();
  const Reg at = e_.held_copy(e_.call_subprogram(routine, {a.address, b.address}));
  e_.mov_imm(result, 0);
  e_.jump_if_imm(Cond::kGt, at, static_cast<std::int32_t>(bytes) - kComparedChunk, done);
  const auto chunk = [&](const Bytes::StringOperand& text) {
    const Reg place = e_.reg();
    e_.mov(place, text.address);
    e_.alu(Alu::kAdd, place, at);
    return Value{.kind = Value::Kind::kMemory, .place = {place, 0}};
  };
  const Value x = chunk(a), y = chunk(b);
  compare_words(x, y, {.words = kChunkWords, .ordered = how.ordered}, result);
  e_.bind(done);
}

// ---- Conversions ------------------------------------------------------------------

void Strings::to_string(const ir::Inst& inst) {
  Value from = values_.value(inst.args[0]);
  const std::uint32_t size = inst.type.size;
  if (from.type.kind == ir::TypeKind::kString) {
    if (from.type.size > size) {
      const Place buffer = storage_.temporary(size, f_.last_use(inst.result));
      bytes_.put_string(buffer, size, from);
      if (words_up(size) > size) {
        bytes_.zero(storage_.at(buffer.base, static_cast<std::uint32_t>(buffer.offset) + size),
                    words_up(size) - size);
      }
      from = {.kind = Value::Kind::kMemory, .place = buffer, .avail = words_up(size)};
    }
    from.type = inst.type;
    values_[inst.result] = from;
    return;
  }
  // Bytes end where they end, or at a NUL with anything behind it.
  if (from.kind == Value::Kind::kMemory && from.type.size == kNameBytes && size > kNameBytes) {
    const Reg low = e_.load(8, from.place.base, from.place.offset);
    const Reg high = e_.load(8, from.place.base, from.place.offset + 8);
    bytes_.truncate_at_nul(low, high);
    from = {.kind = Value::Kind::kWords, .reg = low, .high = high, .avail = kNameBytes};
  }
  if (from.kind == Value::Kind::kWords) {
    from.type = inst.type;
    values_[inst.result] = from;
    return;
  }
  DT_CHECK(from.kind == Value::Kind::kMemory);
  const std::uint32_t limit = std::min(size, from.type.size + 1);
  const bool prezero = words_up(size) <= kPrezeroedBytes;
  const Place buffer = prezero ? storage_.temporary(size, f_.last_use(inst.result))
                               : storage_.frame_place(words_up(size), f_.last_use(inst.result));
  if (prezero) bytes_.zero(buffer, words_up(size));
  const Reg length = e_.call(BPF_FUNC_probe_read_kernel_str,
                             {f_.address(buffer), e_.imm(limit), f_.address(from.place)});
  if (!prezero) bytes_.zero_tail(buffer, words_up(size), length);
  values_.define_memory(inst, buffer, words_up(size));
}

}  // namespace dt::bpf
