// See loads.h.
//
// D does not say whether an address is of the kernel or of the process unless the type does. Any
// other load reads the memory of the kernel or, if the address is in its half of the address space,
// of the process; the two do not overlap on x86-64. A load that fails is a fault with the address
// in its record.

#include "bpf/select/loads.h"

#include <algorithm>

#include "bpf/layout/word_load.h"
#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/failures.h"
#include "bpf/select/follow.h"
#include "bpf/select/key_buffer.h"
#include "bpf/select/storage.h"
#include "bpf/select/values.h"
#include "record/wire.h"

namespace dt::bpf {

Loads::Loads(const Core& core, Follow& follow) : SelectionPart(core), follow_(follow) {}

Reg Loads::read_foreign(const ForeignRead& read) {
  keys_.forget_waiting();
  return bpf::read_foreign(unit_, read);
}

void Loads::load_string(const ir::Inst& inst) {
  const bool is_user = inst.op == ir::Op::kCopyinstr;
  const std::uint32_t size = inst.type.size;
  // With a limit, so many characters and a NUL. The helper looks at the byte behind them: if it is
  // not there, it is asked for the characters alone. Where it fails, it has made the buffer zero.
  const bool is_whole = inst.args.size() == 1;
  const bool is_limited = !is_whole || size < unit_.program.string_size;
  const std::uint32_t padded =
      is_whole ? std::min(words_up(size), f_.analysis.padding[inst.result]) : words_up(size);
  const bool prezero = padded <= kPrezeroedBytes;
  const Reg from = values_.reg(inst.args[0]);
  const Place buffer = prezero ? storage_.text_buffer(size, padded, f_.last_use(inst.result))
                               : storage_.frame_place(words_up(size), f_.last_use(inst.result));
  if (prezero) bytes_.zero(buffer, padded);
  const Label bad = failures_.fault(inst, record::Fault::kBadAddress, from);
  const Reg to = f_.address(buffer);
  Reg limit = e_.imm(size);
  if (!is_whole) {
    const Label fits = e_.label();
    limit = e_.held_copy(values_.reg(inst.args[1]));
    e_.jump_if_imm(Cond::kLt, limit, static_cast<std::int32_t>(size), fits);
    e_.mov_imm(limit, size - 1);
    e_.bind(fits);
    e_.alu_imm(Alu::kAdd, limit, 1);
  }
  Reg length = read_foreign({to, limit, from, size, is_user, true});
  if (is_limited) {
    length = e_.held_copy(length);
    read_without_end(inst, {f_.address(buffer), limit, from, size, is_user}, length, bad);
  } else {
    e_.jump_if_imm(Cond::kSlt, length, 0, bad);
  }
  if (!prezero) bytes_.zero_tail(buffer, padded, length);
  values_.define_memory(inst, buffer, padded);
  if (is_whole && !unit_.budget.store_values) values_[inst.result].length = length;
}

// If `length` is below 0, reads the characters of a text of so many bytes, and makes it its length.
void Loads::read_without_end(const ir::Inst& inst, const ForeignRead& text, Reg length, Label bad) {
  const Label retry = e_.label(), have = e_.label();
  e_.jump_if_imm(Cond::kSlt, length, 0, retry);
  e_.bind(have);
  f_.cold.push_back([=, this, span = inst.span] {
    e_.at(span);
    e_.bind(retry);
    ForeignRead characters = text;
    characters.size = e_.held_copy(text.size);
    e_.alu_imm(Alu::kSub, characters.size, 1);
    e_.mov(length, text.size);
    // Of no characters, the address does not matter; the helper would look at it.
    e_.jump_if_imm(Cond::kEq, characters.size, 0, have);
    const Reg status = read_foreign(characters);
    e_.jump_if_imm(Cond::kSlt, status, 0, bad);
    e_.jump(have);
  });
}

// As load_string(), with a text instead of a fault.
void Loads::load_text(const ir::Inst& inst) {
  const bool is_user = inst.op == ir::Op::kUserText;
  const std::uint32_t size = inst.type.size;
  const std::uint32_t padded = std::min(words_up(size), f_.analysis.padding[inst.result]);
  const bool prezero = padded <= kPrezeroedBytes;
  const Reg from = values_.reg(inst.args[0]);
  const Place buffer = prezero ? storage_.text_buffer(size, padded, f_.last_use(inst.result))
                               : storage_.frame_place(words_up(size), f_.last_use(inst.result));
  if (prezero) bytes_.zero(buffer, padded);
  const Reg to = f_.address(buffer);
  const Reg length = e_.held_copy(read_foreign({to, e_.imm(size), from, size, is_user, true}));
  const Label bad = e_.label(), have = e_.label();
  e_.jump_if_imm(Cond::kSlt, length, 0, bad);
  e_.bind(have);
  f_.cold.push_back([=, this, span = inst.span, byte = inst.imm] {
    e_.at(span);
    e_.bind(bad);
    e_.store_imm(8, buffer.base, buffer.offset, static_cast<std::int32_t>(byte));
    e_.mov_imm(length, 2);  // with its NUL
    e_.jump(have);
  });
  if (!prezero) bytes_.zero_tail(buffer, padded, length);
  values_.define_memory(inst, buffer, padded);
  if (!unit_.budget.store_values) values_[inst.result].length = length;
}

// A plain load cannot tell an address that is none from a 0 that is there: where `value` is 0, the
// helper is asked, and elsewhere `found` goes on.
void Loads::ask_if_zero(const ir::Inst& inst, Reg value, const std::function<void()>& ask,
                        const std::function<void()>& found) {
  const Label is_zero = e_.label(), have = e_.label();
  e_.jump_if_imm(Cond::kEq, value, 0, is_zero);
  found();
  e_.bind(have);
  f_.cold.push_back([=, this, span = inst.span] {
    e_.at(span);
    e_.bind(is_zero);
    ask();
    e_.jump(have);
  });
}

// As load_integer(), without a fault.
void Loads::try_load(const ir::Inst& inst) {
  constexpr std::uint32_t kTriedBytes = 8;
  const Words& words = unit_.memory.machine.words;
  const bool is_user = inst.op == ir::Op::kTryUser, is_plain = !is_user && words.are_known();
  const auto size = static_cast<std::uint32_t>(inst.imm);
  const Reg from = values_.reg(inst.args[0]);
  const Place result = storage_.temporary(inst.type.size, f_.last_use(inst.result));
  const Place is_read = {result.base, result.offset + static_cast<std::int32_t>(kTriedBytes),
                         result.in_frame};
  bytes_.zero(result, kTriedBytes);
  // 1 or 0 of a status that is 0 or below it, without a branch: the verifier of kernels before 6.8
  // follows each of many reads both ways, and all that comes behind them.
  const auto ask = [=, this] {
    constexpr std::int32_t kSignBit = 63;
    const Reg status =
        e_.held_copy(read_foreign({f_.address(result), e_.imm(size), from, size, is_user}));
    e_.alu_imm(Alu::kArsh, status, kSignBit);
    e_.alu_imm(Alu::kAdd, status, 1);
    e_.store(kTriedBytes, is_read.base, is_read.offset, status);
  };
  if (is_plain) {
    const Reg value = load_word(e_, words, from, 0, size);
    ask_if_zero(inst, value, ask, [&] {
      e_.store(kTriedBytes, result.base, result.offset, value);
      e_.store_imm(kTriedBytes, is_read.base, is_read.offset, 1);
    });
  } else {
    ask();
  }
  values_.define_memory(inst, result, inst.type.size);
}

// Bytes of which only the text counts, up to their NUL. Where they have none, the helper
// looks at the byte behind them: if it is not there, it is asked for the bytes alone.
void Loads::probe_text(const ir::Inst& inst) {
  const std::uint32_t size = inst.type.size, padded = words_up(size + 1);
  const Reg from = values_.reg(inst.args[0]);
  const Place buffer = storage_.temporary(size + 1, f_.last_use(inst.result));
  bytes_.zero(buffer, padded);
  const Label bad = failures_.fault(inst, record::Fault::kBadAddress, from);
  const Label no_text = e_.label(), have = e_.label();
  const Reg length =
      read_foreign({f_.address(buffer), e_.imm(size + 1), from, size + 1, false, true});
  e_.jump_if_imm(Cond::kSlt, length, 0, no_text);
  e_.bind(have);
  f_.cold.push_back([=, this, span = inst.span] {
    e_.at(span);
    e_.bind(no_text);
    const Reg status = read_foreign({f_.address(buffer), e_.imm(size), from, size, false});
    e_.jump_if_imm(Cond::kSlt, status, 0, bad);
    e_.jump(have);
  });
  values_.define_memory(inst, buffer, padded);
  values_[inst.result].type = ir::Type::string(size + 1);
}

void Loads::load_bytes(const ir::Inst& inst) {
  if (follow_.is_followed_load(inst)) return follow_.follow_name(inst);
  if (inst.op == ir::Op::kKernelBytes && f_.analysis.text_only[inst.result] &&
      words_up(inst.type.size + 1) <= kPrezeroedBytes) {
    return probe_text(inst);
  }
  const Reg from = values_.reg(inst.args[0]);
  const std::uint32_t words = words_up(inst.type.size);
  const Place buffer = storage_.temporary(inst.type.size, f_.last_use(inst.result));
  if (words > inst.type.size) {
    e_.store_imm(8, buffer.base, buffer.offset + static_cast<std::int32_t>(words) - 8, 0);
  }
  const Label bad = failures_.fault(inst, record::Fault::kBadAddress, from);
  const std::uint32_t size = inst.type.size;
  const Reg status =
      read_foreign({f_.address(buffer), e_.imm(size), from, size, inst.op == ir::Op::kCopyin});
  e_.jump_if_imm(Cond::kSlt, status, 0, bad);
  values_.define_memory(inst, buffer, words);
}

void Loads::load_integer(const ir::Inst& inst) {
  if (follow_.is_followed_load(inst)) return follow_.follow(inst);
  const Words& words = unit_.memory.machine.words;
  const bool is_plain = inst.op == ir::Op::kLoadKernel && words.are_known();
  const Reg from = values_.reg(inst.args[0]);
  const Label bad = failures_.fault(inst, record::Fault::kBadAddress, from);
  const Place word = storage_.stack_word();
  const Reg value = is_plain ? load_word(e_, words, from, 0, inst.type.size) : e_.reg();
  const auto ask = [=, this, size = inst.type.size, is_user = inst.op == ir::Op::kLoadUser] {
    const Reg status = read_foreign({f_.address(word), e_.imm(size), from, size, is_user});
    e_.jump_if_imm(Cond::kSlt, status, 0, bad);
    e_.load_to(value, size, e_.stack_address(storage_.word()), 0);
  };
  if (is_plain) {
    ask_if_zero(inst, value, ask, [] {});
  } else {
    ask();
  }
  if (inst.type.is_signed) values_.extend(value, inst.type);
  values_.define(inst, value);
}

}  // namespace dt::bpf
