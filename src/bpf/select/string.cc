// Selector: strings and reads of foreign memory.

#include <algorithm>

#include "bpf/asm/lir.h"
#include "bpf/layout/word_load.h"
#include "bpf/select/selector.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

constexpr std::uint32_t kChunkWords = kComparedChunk / 8;
constexpr std::uint32_t kPrezeroedBytes = 256;

}  // namespace

void Selector::string_literal(const ir::Inst& inst) {
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
  define_memory(inst, rodata(unit_.add_rodata(cut)), words_up(inst.type.size));
}

// ---- Comparison ---------------------------------------------------------------

void Selector::string_compare(const ir::Inst& inst) {
  const Value& a = value(inst.args[0]);
  const Value& b = value(inst.args[1]);
  // Both are NUL-terminated and zero-padded: where the shorter one's room ends
  // without a difference, both have ended.
  const std::uint32_t words = std::min(a.avail, b.avail) / 8;
  const Reg result = e_.reg();
  const Comparison how = {
      .words = words,
      .ordered = !equality_only_[inst.result],
      .complemented = outlives_comparison(inst.args[0]) || outlives_comparison(inst.args[1])};
  if (words <= kUnrolledWords)
    compare_words(a, b, how, result);
  else if (is_wide(words * 8))
    compare_wide(inst, how, result);
  else
    compare_long(a, b, how, result);
  define(inst, result);
}

// result = sign of (a - b) as big-endian words; only reached when they differ.
void Selector::order(Reg a, Reg b, Reg result) {
  const Label done = e_.label();
  e_.byte_swap(a, 8);
  e_.byte_swap(b, 8);
  e_.mov_imm(result, 1);
  e_.jump_if(Cond::kGt, a, b, done);
  e_.mov_imm(result, -1);
  e_.bind(done);
}

void Selector::compare_words(const Value& a, const Value& b, Comparison how, Reg result) {
  const Label differ = e_.label(), done = e_.label();
  const Reg left = e_.reg(), right = e_.reg();
  if (!how.ordered) e_.mov_imm(result, 1);
  for (std::uint32_t i = 0; i < how.words; i++) {
    const auto known = constant_word(b, i);
    e_.mov(left, word(a, i));
    if (how.complemented) e_.alu_imm(Alu::kXor, left, -1);
    if (!how.ordered && known && fits_s32(static_cast<std::int64_t>(*known))) {
      const auto want = static_cast<std::int32_t>(*known);
      e_.jump_if_imm(Cond::kNe, left, how.complemented ? ~want : want, done);
      continue;
    }
    e_.mov(right, word(b, i));
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
void Selector::compare_long(const Value& a, const Value& b, Comparison how, Reg result) {
  const std::uint32_t chunk_bytes = kChunkWords * 8;
  const std::uint32_t chunks = how.words / kChunkWords;
  const std::uint32_t rest = how.words % kChunkWords;
  const std::uint32_t bytes = how.words * 8;
  const Reg left = address(in_memory(a, bytes, position_));
  const Reg right = address(in_memory(b, bytes, position_));
  const Place note = frame_place(8, position_);
  const Label loop = e_.label(), found = e_.label(), done = e_.label();
  const Reg i = e_.imm(0);
  const Reg p = e_.reg(), q = e_.reg();
  e_.bind(loop);
  e_.mov(p, left);
  e_.alu(Alu::kAdd, p, i);
  e_.mov(q, right);
  e_.alu(Alu::kAdd, q, i);
  const Reg difference = e_.imm(0);
  for (std::uint32_t w = 0; w < kChunkWords; w++) {
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
void Selector::compare_wide(const ir::Inst& inst, Comparison how, Reg result) {
  const std::uint32_t bytes = how.words * 8;
  const StringOperand a = operand(inst.args[0]), b = operand(inst.args[1]);
  const Label routine = unit_.routine(Routine::Kind::kDifference, bytes);
  const Label done = e_.label();
  const Reg at = e_.held_copy(e_.call_subprogram(routine, {a.address, b.address}));
  e_.mov_imm(result, 0);
  e_.jump_if_imm(Cond::kGt, at, static_cast<std::int32_t>(bytes) - kComparedChunk, done);
  const auto chunk = [&](const StringOperand& text) {
    const Reg place = e_.reg();
    e_.mov(place, text.address);
    e_.alu(Alu::kAdd, place, at);
    return Value{.kind = Value::Kind::kMemory, .place = {place, 0}};
  };
  const Value x = chunk(a), y = chunk(b);
  compare_words(x, y, {.words = kChunkWords, .ordered = how.ordered}, result);
  e_.bind(done);
}

// ---- Reads of foreign memory ------------------------------------------------------
//
// The plain helpers read the kernel's memory, or the process's at an address in
// the lower half (where the halves do not overlap: x86-64, arm64).

// Zeroes buffer[length, size) where the verifier knows no more of `length` than
// that it is at most `size`: it wants to see size bytes behind every place
// where the zeros could begin, so as many are kept readable behind the frame.
void Selector::zero_tail(Place buffer, std::uint32_t size, Reg length) {
  const Label done = e_.label();
  const Reg used = e_.held_copy(length);
  e_.jump_if_imm(Cond::kGe, used, static_cast<std::int32_t>(size), done);
  const Reg from = e_.reg(), rest = e_.imm(size);
  e_.mov(from, address(buffer));
  e_.alu(Alu::kAdd, from, used);
  e_.alu(Alu::kSub, rest, used);
  unit_.frame_slack = std::max(unit_.frame_slack, size);
  const std::uint32_t zeros = unit_.zeros(size);
  e_.call_void(BPF_FUNC_probe_read_kernel, {from, rest, address(rodata(zeros))});
  e_.bind(done);
}

Reg Selector::read_foreign(const ForeignRead& read) {
  forget_waiting();
  return bpf::read_foreign(unit_, read);
}

// What may be over once the program has waited: a key's generation.
void Selector::forget_waiting() {
  if (unit_.waits) built_key_ = {};
}

void Selector::load_string(const ir::Inst& inst) {
  const bool is_user = inst.op == ir::Op::kCopyinstr;
  const std::uint32_t size = inst.type.size;
  // With a limit of 0 bytes, not even a NUL is read, and no length is known.
  const bool is_whole = inst.args.size() == 1;
  const std::uint32_t padded =
      is_whole ? std::min(words_up(size), padding_[inst.result]) : words_up(size);
  const bool prezero = padded <= kPrezeroedBytes;
  const Reg from = reg(inst.args[0]);
  const Place buffer = prezero ? text_buffer(size, padded, last_use(inst.result))
                               : frame_place(words_up(size), last_use(inst.result));
  if (prezero) zero(buffer, padded);
  const Label bad = fault(inst, record::Fault::kBadAddress, from);
  const Reg to = address(buffer);
  Reg limit = e_.imm(size);
  if (!is_whole) {
    const Label clamped = e_.label();
    limit = e_.held_copy(reg(inst.args[1]));
    e_.jump_if_imm(Cond::kLe, limit, static_cast<std::int32_t>(size), clamped);
    e_.mov_imm(limit, size);
    e_.bind(clamped);
  }
  const Reg length = read_foreign({to, limit, from, size, is_user, true});
  e_.jump_if_imm(Cond::kSlt, length, 0, bad);
  if (!prezero) zero_tail(buffer, padded, length);
  define_memory(inst, buffer, padded);
  if (is_whole && !unit_.budget.store_values) values_[inst.result].length = length;
}

// Bytes of which only the text counts, up to their NUL. Where they have none, the helper
// looks at the byte behind them: if it is not there, it is asked for the bytes alone.
void Selector::probe_text(const ir::Inst& inst) {
  const std::uint32_t size = inst.type.size, padded = words_up(size + 1);
  const Reg from = reg(inst.args[0]);
  const Place buffer = temporary(size + 1, last_use(inst.result));
  zero(buffer, padded);
  const Label bad = fault(inst, record::Fault::kBadAddress, from);
  const Label no_text = e_.label(), have = e_.label();
  const Reg length = read_foreign({address(buffer), e_.imm(size + 1), from, size + 1, false, true});
  e_.jump_if_imm(Cond::kSlt, length, 0, no_text);
  e_.bind(have);
  cold_.push_back([=, this, span = inst.span] {
    e_.at(span);
    e_.bind(no_text);
    const Reg status = read_foreign({address(buffer), e_.imm(size), from, size, false});
    e_.jump_if_imm(Cond::kSlt, status, 0, bad);
    e_.jump(have);
  });
  define_memory(inst, buffer, padded);
  values_[inst.result].type = ir::Type::string(size + 1);
}

void Selector::load_bytes(const ir::Inst& inst) {
  if (is_followed_load(inst)) return follow_name(inst);
  if (inst.op == ir::Op::kKernelBytes && text_only_[inst.result] &&
      words_up(inst.type.size + 1) <= kPrezeroedBytes) {
    return probe_text(inst);
  }
  const Reg from = reg(inst.args[0]);
  const std::uint32_t words = words_up(inst.type.size);
  const Place buffer = temporary(inst.type.size, last_use(inst.result));
  if (words > inst.type.size) {
    e_.store_imm(8, buffer.base, buffer.offset + static_cast<std::int32_t>(words) - 8, 0);
  }
  const Label bad = fault(inst, record::Fault::kBadAddress, from);
  const std::uint32_t size = inst.type.size;
  const Reg status =
      read_foreign({address(buffer), e_.imm(size), from, size, inst.op == ir::Op::kCopyin});
  e_.jump_if_imm(Cond::kSlt, status, 0, bad);
  define_memory(inst, buffer, words);
}

// A plain load cannot tell an address that is none from a 0 that is there: then the
// helper is asked.
void Selector::load_integer(const ir::Inst& inst) {
  if (is_followed_load(inst)) return follow(inst);
  const Words& words = unit_.memory.machine.words;
  const bool is_plain = inst.op == ir::Op::kLoadKernel && words.are_known();
  const Reg from = reg(inst.args[0]);
  const Label bad = fault(inst, record::Fault::kBadAddress, from);
  const Place word = stack_word();
  const Reg value = is_plain ? load_word(e_, words, from, 0, inst.type.size) : e_.reg();
  const auto ask = [=, this, size = inst.type.size, is_user = inst.op == ir::Op::kLoadUser] {
    const Reg status = read_foreign({address(word), e_.imm(size), from, size, is_user});
    e_.jump_if_imm(Cond::kSlt, status, 0, bad);
    e_.load_to(value, size, e_.stack_address(word_), 0);
  };
  if (is_plain) {
    const Label is_zero = e_.label(), have = e_.label();
    e_.jump_if_imm(Cond::kEq, value, 0, is_zero);
    e_.bind(have);
    cold_.push_back([=, this, span = inst.span] {
      e_.at(span);
      e_.bind(is_zero);
      ask();
      e_.jump(have);
    });
  } else {
    ask();
  }
  if (inst.type.is_signed) extend(value, inst.type);
  define(inst, value);
}

// ---- Conversions ------------------------------------------------------------------

void Selector::to_string(const ir::Inst& inst) {
  Value from = value(inst.args[0]);
  const std::uint32_t size = inst.type.size;
  if (from.type.kind == ir::TypeKind::kString) {
    if (from.type.size > size) {
      const Place buffer = temporary(size, last_use(inst.result));
      put_string(buffer, size, from);
      if (words_up(size) > size) {
        zero(at(buffer.base, static_cast<std::uint32_t>(buffer.offset) + size),
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
    truncate_at_nul(low, high);
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
  const Place buffer = prezero ? temporary(size, last_use(inst.result))
                               : frame_place(words_up(size), last_use(inst.result));
  if (prezero) zero(buffer, words_up(size));
  const Reg length = e_.call(BPF_FUNC_probe_read_kernel_str,
                             {address(buffer), e_.imm(limit), address(from.place)});
  if (!prezero) zero_tail(buffer, words_up(size), length);
  define_memory(inst, buffer, words_up(size));
}

void Selector::user_address(const ir::Inst& inst) {
  const Reg where = reg(inst.args[0]);
  const Place buffer = temporary(16, last_use(inst.result));
  e_.store(8, buffer.base, buffer.offset, tgid());
  e_.store(8, buffer.base, buffer.offset + 8, where);
  define_memory(inst, buffer, 16);
}

}  // namespace dt::bpf
