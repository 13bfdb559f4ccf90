// See calls.h.
//
// Subroutines of strings work on strings whose lengths are not known, up to a capacity that is. The
// result has a capacity, too, computed by the front-end; a text that would be longer is cut.

#include "bpf/select/calls.h"

#include <linux/bpf.h>

#include <algorithm>

#include "bpf/routine/string_code.h"
#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/storage.h"
#include "bpf/select/tokens.h"
#include "bpf/select/values.h"

namespace dt::bpf {

Calls::Calls(const Core& core, Tokens& tokens) : SelectionPart(core), tokens_(tokens) {}

void Calls::call(const ir::Inst& inst) {
  using ir::Subroutine;
  switch (static_cast<Subroutine>(inst.index)) {
    case Subroutine::kStrlen: {
      const Value& text = values_.value(inst.args[0]);
      if (text.length.valid()) {
        const Reg length = e_.reg();
        e_.mov(length, text.length);
        e_.alu_imm(Alu::kSub, length, 1);
        return call_integer(inst, length);
      }
      const Place at = bytes_.in_memory(text, text.avail, f_.position);
      return call_integer(inst, string_length(e_, f_.address(at), text.avail));
    }
    case Subroutine::kFindChar:
    case Subroutine::kFindLastChar: {
      const bool is_first = static_cast<Subroutine>(inst.index) == Subroutine::kFindChar;
      const Bytes::StringOperand text = bytes_.operand(inst.args[0]);
      const Label routine = unit_.routine(
          is_first ? Routine::Kind::kFindChar : Routine::Kind::kFindLastChar, text.capacity);
      return call_integer(inst,
                          e_.call_subprogram(routine, {text.address, values_.reg(inst.args[1])}));
    }
    case Subroutine::kIndex:
    case Subroutine::kRindex:
      return string_index(inst);
    case Subroutine::kStrjoin:
      return string_join(inst);
    case Subroutine::kTail:
      return string_tail(inst);
    case Subroutine::kSubstr:
    case Subroutine::kBasename:
    case Subroutine::kDirname:
      return string_part(inst);
    case Subroutine::kTolower:
    case Subroutine::kToupper:
      return change_case(inst);
    case Subroutine::kCleanpath:
      return clean_path(inst);
    case Subroutine::kLltostr:
      return number_to_text(inst);
    case Subroutine::kStrtoll: {
      const Bytes::StringOperand text = bytes_.operand(inst.args[0]);
      return call_integer(inst,
                          e_.call_subprogram(unit_.routine(Routine::Kind::kToNumber, text.capacity),
                                             {text.address, values_.reg(inst.args[1])}));
    }
    case Subroutine::kJson:
      return json(inst);
    case Subroutine::kPart:
      return span_part(inst);
    case Subroutine::kStrtok:
    case Subroutine::kStrtokNext:
      return tokens_.token(inst);
    case Subroutine::kMemstr:
    case Subroutine::kMemstrUser:
      return tokens_.memory_string(inst);
  }
}

// An integer that is known to fit its type, if that has 32 bits or more.
void Calls::call_integer(const ir::Inst& inst, Reg result) {
  if (inst.type.size < 4) values_.extend(result, inst.type);
  values_.define(inst, result);
}

// ---- Searching -----------------------------------------------------------------

void Calls::string_index(const ir::Inst& inst) {
  if (index_of_constant(inst)) return;
  const bool is_first = static_cast<ir::Subroutine>(inst.index) == ir::Subroutine::kIndex;
  const Bytes::StringOperand text = bytes_.operand(inst.args[0]);
  const Bytes::StringOperand part = bytes_.operand(inst.args[1]);
  const Label routine = unit_.routine(is_first ? Routine::Kind::kIndex : Routine::Kind::kRindex,
                                      text.capacity, part.capacity);
  call_integer(
      inst, e_.call_subprogram(routine, {text.address, part.address, values_.reg(inst.args[2])}));
}

// index() of a constant of one to eight bytes.
bool Calls::index_of_constant(const ir::Inst& inst) {
  const Value& part = values_.value(inst.args[1]);
  if (part.kind != Value::Kind::kConstString) return false;
  const auto length = static_cast<std::uint32_t>(unit_.program.strings[part.string].size());
  if (length == 0 || length > 8) return false;
  const bool is_first = static_cast<ir::Subroutine>(inst.index) == ir::Subroutine::kIndex;
  const Bytes::StringOperand text = bytes_.operand(inst.args[0]);
  const Label routine = unit_.routine(
      is_first ? Routine::Kind::kIndexWord : Routine::Kind::kRindexWord, text.capacity);
  const Reg word = e_.imm(static_cast<std::int64_t>(*bytes_.constant_word(part, 0)));
  const Reg mask = e_.imm(static_cast<std::int64_t>(~std::uint64_t{0} >> (64 - 8 * length)));
  if (!is_first) {
    call_integer(inst, e_.call_subprogram(routine, {text.address, word, mask,
                                                    values_.reg(inst.args[2]), e_.imm(length)}));
    return true;
  }
  const auto known = values_.constant(inst.args[2]);
  const Reg from =
      known ? e_.imm(std::max<std::int64_t>(*known, 0)) : values_.copy_of(inst.args[2]);
  if (!known) {
    const Label good = e_.label();
    e_.jump_if_imm(Cond::kSge, from, 0, good);
    e_.mov_imm(from, 0);
    e_.bind(good);
  }
  call_integer(inst, e_.call_subprogram(routine, {text.address, word, mask, from}));
  return true;
}

// Both in one buffer, the second over the zeros behind the first.
void Calls::string_join(const ir::Inst& inst) {
  const Value& a = values_.value(inst.args[0]);
  const Value& b = values_.value(inst.args[1]);
  const std::uint32_t size = inst.type.size;
  const std::uint32_t bytes = std::max(a.avail + b.avail, words_up(size));
  const Place buffer = storage_.frame_place(bytes, f_.last_use(inst.result));
  bytes_.put_string(buffer, bytes, a);
  const Place second = bytes_.in_memory(b, b.avail, f_.position);
  const Reg to = string_length(e_, f_.address(buffer), a.avail);
  e_.alu(Alu::kAdd, to, f_.address(buffer));
  e_.call_void(BPF_FUNC_probe_read_kernel, {to, e_.imm(b.avail), f_.address(second)});
  const auto start = static_cast<std::uint32_t>(buffer.offset);
  if (a.avail + b.avail > size)
    bytes_.zero(storage_.at(buffer.base, start + size - 1), words_up(size) - size + 1);
  values_.define_memory(inst, buffer, words_up(size));
}

void Calls::string_tail(const ir::Inst& inst) {
  const Value& text = values_.value(inst.args[0]);
  const Place from = bytes_.in_memory(text, text.avail, f_.position);
  const Place buffer = bytes_.result_buffer(inst);
  const Label done = e_.label();
  const Reg start = e_.held_copy(values_.reg(inst.args[1]));
  e_.jump_if_imm(Cond::kGe, start, static_cast<std::int32_t>(text.avail), done);
  const Reg count = e_.imm(text.avail);
  e_.alu(Alu::kSub, count, start);
  bytes_.copy_part(buffer, inst.type.size, sum(e_, f_.address(from), start), count, text.avail);
  e_.bind(done);
  values_.define_memory(inst, buffer, words_up(inst.type.size));
}

void Calls::string_part(const ir::Inst& inst) {
  const auto subroutine = static_cast<ir::Subroutine>(inst.index);
  Reg from, span;
  if (subroutine == ir::Subroutine::kSubstr) {
    const Value& text = values_.value(inst.args[0]);
    from = f_.address(bytes_.in_memory(text, text.avail, f_.position));
    span = e_.call_subprogram(unit_.routine(Routine::Kind::kSubstr),
                              {string_length(e_, from, text.avail), values_.reg(inst.args[1]),
                               values_.reg(inst.args[2])});
  } else {
    const bool is_base = subroutine == ir::Subroutine::kBasename;
    const Bytes::StringOperand text = bytes_.operand(inst.args[0]);
    from = text.address;
    span = e_.call_subprogram(
        unit_.routine(is_base ? Routine::Kind::kBasename : Routine::Kind::kDirname, text.capacity),
        {from});
  }
  const Place buffer = bytes_.result_buffer(inst);
  const Label done = e_.label();
  const Reg count = copy(e_, span);
  e_.alu_imm(Alu::kRsh, count, 32);
  if (subroutine != ir::Subroutine::kSubstr && inst.type.size > 1) {
    const Label some = e_.label();
    e_.jump_if_imm(Cond::kNe, count, 0, some);
    e_.store_imm(1, buffer.base, buffer.offset, '.');
    e_.jump(done);
    e_.bind(some);
  }
  e_.alu_imm(Alu::kAnd, span, kMaxCapacity - 1);
  bytes_.copy_part(buffer, inst.type.size, sum(e_, from, span), count, ir::kNone);
  e_.bind(done);
  values_.define_memory(inst, buffer, words_up(inst.type.size));
}

void Calls::change_case(const ir::Inst& inst) {
  const bool is_lower = static_cast<ir::Subroutine>(inst.index) == ir::Subroutine::kTolower;
  const Bytes::StringOperand text = bytes_.operand(inst.args[0]);
  const std::uint32_t size = inst.type.size, bytes = words_up(size);
  const Place buffer = bytes_.result_buffer(inst);
  const Label routine =
      unit_.routine(is_lower ? Routine::Kind::kLower : Routine::Kind::kUpper, text.capacity, bytes);
  e_.call_subprogram(routine, {f_.address(buffer), text.address});
  if (text.capacity > size) {
    bytes_.zero(storage_.at(buffer.base, static_cast<std::uint32_t>(buffer.offset) + size - 1),
                bytes - size + 1);
  }
  values_.define_memory(inst, buffer, bytes);
}

void Calls::span_part(const ir::Inst& inst) {
  const Value& text = values_.value(inst.args[0]);
  const Place from = bytes_.in_memory(text, text.avail, f_.position);
  const Reg span = values_.reg(inst.args[1]);
  const Place buffer = bytes_.result_buffer(inst);
  const Label done = e_.label(), fits = e_.label();
  const auto bytes = static_cast<std::int32_t>(text.avail);
  e_.jump_if_imm(Cond::kSlt, span, 0, done);
  const Reg start = e_.held(), left = e_.imm(bytes);
  e_.mov32(start, span);
  e_.jump_if_imm(Cond::kGe, start, bytes, done);
  e_.alu(Alu::kSub, left, start);
  const Reg source = sum(e_, f_.address(from), start);
  const Reg count = copy(e_, span);
  e_.alu_imm(Alu::kRsh, count, 32);
  e_.jump_if(Cond::kLe, count, left, fits);
  e_.mov(count, left);
  e_.bind(fits);
  bytes_.copy_part(buffer, inst.type.size, source, count, ir::kNone);
  e_.bind(done);
  values_.define_memory(inst, buffer, words_up(inst.type.size));
}

// ---- Numbers, paths, JSON --------------------------------------------------------

void Calls::number_to_text(const ir::Inst& inst) {
  unit_.frame_slack = std::max(unit_.frame_slack, kOperandSlack);
  const Place text = storage_.frame_place(kNumberTextBytes, f_.position);
  const Place buffer = bytes_.result_buffer(inst);
  const Reg from = f_.address(text);
  const Reg start = e_.held_copy(
      e_.call_subprogram(unit_.routine(Routine::Kind::kToText),
                         {from, values_.reg(inst.args[0]), values_.reg(inst.args[1])}));
  const Label done = e_.label();
  e_.jump_if_imm(Cond::kGe, start, kNumberTextBytes, done);
  const Reg count = e_.imm(kNumberTextBytes);
  e_.alu(Alu::kSub, count, start);
  bytes_.copy_part(buffer, inst.type.size, sum(e_, from, start), count, kNumberTextBytes);
  e_.bind(done);
  values_.define_memory(inst, buffer, words_up(inst.type.size));
}

void Calls::clean_path(const ir::Inst& inst) {
  const Bytes::StringOperand text = bytes_.operand(inst.args[0]);
  const std::uint32_t size = inst.type.size;
  const std::uint32_t bytes = std::max(text.capacity, words_up(size));
  const Place buffer = storage_.frame_place(bytes, f_.last_use(inst.result));
  bytes_.zero(buffer, bytes);
  const Place state = storage_.frame_place(kPathBytes, f_.position);
  e_.call_subprogram(unit_.routine(Routine::Kind::kCleanPath, text.capacity),
                     {f_.address(buffer), text.address, f_.address(state)});
  if (bytes > size) {
    bytes_.zero(storage_.at(buffer.base, static_cast<std::uint32_t>(buffer.offset) + size - 1),
                words_up(size) - size + 1);
  }
  values_.define_memory(inst, buffer, words_up(size));
}

void Calls::json(const ir::Inst& inst) {
  const Bytes::StringOperand text = bytes_.operand(inst.args[0]);
  const Bytes::StringOperand selector = bytes_.operand(inst.args[1]);
  const Place state = storage_.frame_place(kJsonBytes, f_.position);
  const Label routine = unit_.routine(Routine::Kind::kJson, text.capacity, selector.capacity);
  values_.define(inst,
                 e_.call_subprogram(routine, {text.address, selector.address, f_.address(state)}));
}

}  // namespace dt::bpf
