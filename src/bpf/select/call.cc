// Selector: calls of subroutines of strings.

#include <algorithm>

#include "bpf/asm/lir.h"
#include "bpf/routine/string_code.h"
#include "bpf/select/selector.h"
#include "support/check.h"

namespace dt::bpf {

void Selector::call(const ir::Inst& inst) {
  using ir::Subroutine;
  switch (static_cast<Subroutine>(inst.index)) {
    case Subroutine::kStrlen: {
      const Value& text = value(inst.args[0]);
      if (text.length.valid()) {
        const Reg length = e_.reg();
        e_.mov(length, text.length);
        e_.alu_imm(Alu::kSub, length, 1);
        return call_integer(inst, length);
      }
      const Place at = in_memory(text, text.avail, position_);
      return call_integer(inst, string_length(e_, address(at), text.avail));
    }
    case Subroutine::kFindChar:
    case Subroutine::kFindLastChar: {
      const bool is_first = static_cast<Subroutine>(inst.index) == Subroutine::kFindChar;
      const StringOperand text = operand(inst.args[0]);
      const Label routine = unit_.routine(
          is_first ? Routine::Kind::kFindChar : Routine::Kind::kFindLastChar, text.capacity);
      return call_integer(inst, e_.call_subprogram(routine, {text.address, reg(inst.args[1])}));
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
      const StringOperand text = operand(inst.args[0]);
      return call_integer(inst,
                          e_.call_subprogram(unit_.routine(Routine::Kind::kToNumber, text.capacity),
                                             {text.address, reg(inst.args[1])}));
    }
    case Subroutine::kJson:
      return json(inst);
    case Subroutine::kPart:
      return span_part(inst);
    case Subroutine::kStrtok:
    case Subroutine::kStrtokNext:
      return token(inst);
    case Subroutine::kMemstr:
    case Subroutine::kMemstrUser:
      return memory_string(inst);
  }
}

// An integer that is known to fit its type, if that has 32 bits or more.
void Selector::call_integer(const ir::Inst& inst, Reg result) {
  if (inst.type.size < 4) extend(result, inst.type);
  define(inst, result);
}

// The string as routines want it: in scratch memory.
Selector::StringOperand Selector::operand(ir::ValueId id) {
  unit_.frame_slack = std::max(unit_.frame_slack, kOperandSlack);
  const Value& v = value(id);
  if (v.kind == Value::Kind::kMemory && v.place.in_frame) return {address(v.place), v.avail};
  const Place buffer = frame_place(v.avail, position_);
  put_string(buffer, v.avail, v);
  return {address(buffer), v.avail};
}

// ---- Searching -----------------------------------------------------------------

void Selector::string_index(const ir::Inst& inst) {
  if (index_of_constant(inst)) return;
  const bool is_first = static_cast<ir::Subroutine>(inst.index) == ir::Subroutine::kIndex;
  const StringOperand text = operand(inst.args[0]);
  const StringOperand part = operand(inst.args[1]);
  const Label routine = unit_.routine(is_first ? Routine::Kind::kIndex : Routine::Kind::kRindex,
                                      text.capacity, part.capacity);
  call_integer(inst, e_.call_subprogram(routine, {text.address, part.address, reg(inst.args[2])}));
}

// What is looked for is one to eight bytes that are known.
bool Selector::index_of_constant(const ir::Inst& inst) {
  const Value& part = value(inst.args[1]);
  if (part.kind != Value::Kind::kConstString) return false;
  const auto length = static_cast<std::uint32_t>(unit_.program.strings[part.string].size());
  if (length == 0 || length > 8) return false;
  const bool is_first = static_cast<ir::Subroutine>(inst.index) == ir::Subroutine::kIndex;
  const StringOperand text = operand(inst.args[0]);
  const Label routine = unit_.routine(
      is_first ? Routine::Kind::kIndexWord : Routine::Kind::kRindexWord, text.capacity);
  const Reg word = e_.imm(static_cast<std::int64_t>(*constant_word(part, 0)));
  const Reg mask = e_.imm(static_cast<std::int64_t>(~std::uint64_t{0} >> (64 - 8 * length)));
  if (!is_first) {
    call_integer(inst, e_.call_subprogram(
                           routine, {text.address, word, mask, reg(inst.args[2]), e_.imm(length)}));
    return true;
  }
  const auto known = constant(inst.args[2]);
  const Reg from = known ? e_.imm(std::max<std::int64_t>(*known, 0)) : copy_of(inst.args[2]);
  if (!known) {
    const Label good = e_.label();
    e_.jump_if_imm(Cond::kSge, from, 0, good);
    e_.mov_imm(from, 0);
    e_.bind(good);
  }
  call_integer(inst, e_.call_subprogram(routine, {text.address, word, mask, from}));
  return true;
}

// ---- Strings made of strings ---------------------------------------------------

// Where the result is to be: zeros, in scratch memory.
Place Selector::result_buffer(const ir::Inst& inst) {
  const std::uint32_t bytes = words_up(inst.type.size);
  const Place buffer = frame_place(bytes, last_use(inst.result));
  zero(buffer, bytes);
  return buffer;
}

// Copies `count` bytes, which are no more than `most`, or as many as leave room
// for a NUL.
void Selector::copy_part(Place to, std::uint32_t capacity, Reg from, Reg count,
                         std::uint32_t most) {
  const Reg buffer = address(to), bytes = e_.held_copy(count);
  if (most > capacity) {
    const Label fits = e_.label();
    e_.jump_if_imm(Cond::kLt, bytes, static_cast<std::int32_t>(capacity), fits);
    e_.mov_imm(bytes, capacity - 1);
    e_.bind(fits);
  }
  e_.call_void(BPF_FUNC_probe_read_kernel, {buffer, bytes, from});
}

// Both in one buffer, the second over the zeros behind the first.
void Selector::string_join(const ir::Inst& inst) {
  const Value& a = value(inst.args[0]);
  const Value& b = value(inst.args[1]);
  const std::uint32_t size = inst.type.size;
  const std::uint32_t bytes = std::max(a.avail + b.avail, words_up(size));
  const Place buffer = frame_place(bytes, last_use(inst.result));
  put_string(buffer, bytes, a);
  const Place second = in_memory(b, b.avail, position_);
  const Reg to = string_length(e_, address(buffer), a.avail);
  e_.alu(Alu::kAdd, to, address(buffer));
  e_.call_void(BPF_FUNC_probe_read_kernel, {to, e_.imm(b.avail), address(second)});
  const auto start = static_cast<std::uint32_t>(buffer.offset);
  if (a.avail + b.avail > size) zero(at(buffer.base, start + size - 1), words_up(size) - size + 1);
  define_memory(inst, buffer, words_up(size));
}

void Selector::string_tail(const ir::Inst& inst) {
  const Value& text = value(inst.args[0]);
  const Place from = in_memory(text, text.avail, position_);
  const Place buffer = result_buffer(inst);
  const Label done = e_.label();
  const Reg start = e_.held_copy(reg(inst.args[1]));
  e_.jump_if_imm(Cond::kGe, start, static_cast<std::int32_t>(text.avail), done);
  const Reg count = e_.imm(text.avail);
  e_.alu(Alu::kSub, count, start);
  copy_part(buffer, inst.type.size, sum(e_, address(from), start), count, text.avail);
  e_.bind(done);
  define_memory(inst, buffer, words_up(inst.type.size));
}

void Selector::string_part(const ir::Inst& inst) {
  const auto subroutine = static_cast<ir::Subroutine>(inst.index);
  Reg from, span;
  if (subroutine == ir::Subroutine::kSubstr) {
    const Value& text = value(inst.args[0]);
    from = address(in_memory(text, text.avail, position_));
    span = e_.call_subprogram(
        unit_.routine(Routine::Kind::kSubstr),
        {string_length(e_, from, text.avail), reg(inst.args[1]), reg(inst.args[2])});
  } else {
    const bool is_base = subroutine == ir::Subroutine::kBasename;
    const StringOperand text = operand(inst.args[0]);
    from = text.address;
    span = e_.call_subprogram(
        unit_.routine(is_base ? Routine::Kind::kBasename : Routine::Kind::kDirname, text.capacity),
        {from});
  }
  const Place buffer = result_buffer(inst);
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
  copy_part(buffer, inst.type.size, sum(e_, from, span), count, ir::kNone);
  e_.bind(done);
  define_memory(inst, buffer, words_up(inst.type.size));
}

void Selector::change_case(const ir::Inst& inst) {
  const bool is_lower = static_cast<ir::Subroutine>(inst.index) == ir::Subroutine::kTolower;
  const StringOperand text = operand(inst.args[0]);
  const std::uint32_t size = inst.type.size, bytes = words_up(size);
  const Place buffer = result_buffer(inst);
  const Label routine =
      unit_.routine(is_lower ? Routine::Kind::kLower : Routine::Kind::kUpper, text.capacity, bytes);
  e_.call_subprogram(routine, {address(buffer), text.address});
  if (text.capacity > size) {
    zero(at(buffer.base, static_cast<std::uint32_t>(buffer.offset) + size - 1), bytes - size + 1);
  }
  define_memory(inst, buffer, bytes);
}

void Selector::span_part(const ir::Inst& inst) {
  const Value& text = value(inst.args[0]);
  const Place from = in_memory(text, text.avail, position_);
  const Reg span = reg(inst.args[1]);
  const Place buffer = result_buffer(inst);
  const Label done = e_.label(), fits = e_.label();
  const auto bytes = static_cast<std::int32_t>(text.avail);
  e_.jump_if_imm(Cond::kSlt, span, 0, done);
  const Reg start = e_.held(), left = e_.imm(bytes);
  e_.mov32(start, span);
  e_.jump_if_imm(Cond::kGe, start, bytes, done);
  e_.alu(Alu::kSub, left, start);
  const Reg source = sum(e_, address(from), start);
  const Reg count = copy(e_, span);
  e_.alu_imm(Alu::kRsh, count, 32);
  e_.jump_if(Cond::kLe, count, left, fits);
  e_.mov(count, left);
  e_.bind(fits);
  copy_part(buffer, inst.type.size, source, count, ir::kNone);
  e_.bind(done);
  define_memory(inst, buffer, words_up(inst.type.size));
}

// ---- Numbers, paths, JSON --------------------------------------------------------

void Selector::number_to_text(const ir::Inst& inst) {
  unit_.frame_slack = std::max(unit_.frame_slack, kOperandSlack);
  const Place text = frame_place(kNumberTextBytes, position_);
  const Place buffer = result_buffer(inst);
  const Reg from = address(text);
  const Reg start = e_.held_copy(e_.call_subprogram(unit_.routine(Routine::Kind::kToText),
                                                    {from, reg(inst.args[0]), reg(inst.args[1])}));
  const Label done = e_.label();
  e_.jump_if_imm(Cond::kGe, start, kNumberTextBytes, done);
  const Reg count = e_.imm(kNumberTextBytes);
  e_.alu(Alu::kSub, count, start);
  copy_part(buffer, inst.type.size, sum(e_, from, start), count, kNumberTextBytes);
  e_.bind(done);
  define_memory(inst, buffer, words_up(inst.type.size));
}

// Calls a routine until it has ended, which is after so many steps at most.
void Selector::take_steps(Routine routine, std::uint32_t steps, Reg first, Reg second, Reg state) {
  const Label again = e_.label(), done = e_.label();
  std::uint32_t calls = steps / kStepsPerCall + 1;
  if (calls > kStepCalls) {
    calls = calls / kStepCalls + 1;
    routine.kind = routine.kind == Routine::Kind::kJsonSteps ? Routine::Kind::kJsonStepsMany
                                                             : Routine::Kind::kCleanPathMany;
  }
  const Label name = unit_.routine(routine.kind, routine.first, routine.second);
  const Reg left = e_.imm(calls);
  e_.bind(again);
  const Reg ended = e_.call_subprogram(name, {first, second, state});
  e_.jump_if_imm(Cond::kNe, ended, 0, done);
  e_.alu_imm(Alu::kSub, left, 1);
  e_.jump_if_imm(Cond::kNe, left, 0, again);
  e_.bind(done);
}

void Selector::clean_path(const ir::Inst& inst) {
  const StringOperand text = operand(inst.args[0]);
  const std::uint32_t size = inst.type.size;
  const std::uint32_t bytes = std::max(text.capacity, words_up(size));
  const Place buffer = frame_place(bytes, last_use(inst.result));
  zero(buffer, bytes);
  const Place state = frame_place(kPathBytes, position_);
  zero(state, kPathBytes);
  // Every byte is read once and taken back once; a component's end is a step.
  take_steps({Routine::Kind::kCleanPath, text.capacity}, text.capacity * 3, address(buffer),
             text.address, address(state));
  if (bytes > size) {
    zero(at(buffer.base, static_cast<std::uint32_t>(buffer.offset) + size - 1),
         words_up(size) - size + 1);
  }
  define_memory(inst, buffer, words_up(size));
}

void Selector::json(const ir::Inst& inst) {
  const StringOperand text = operand(inst.args[0]);
  const StringOperand selector = operand(inst.args[1]);
  const Place state = frame_place(kJsonBytes, position_);
  zero(state, kJsonBytes);
  const Reg first = e_.call_subprogram(unit_.routine(Routine::Kind::kJsonName, selector.capacity),
                                       {selector.address, e_.imm(0)});
  e_.store(8, state.base, state.offset + kJsonNextName, first);
  e_.store_imm(8, state.base, state.offset + kJsonResult, -1);
  // The byte behind a number is read twice.
  take_steps({Routine::Kind::kJsonSteps, text.capacity, selector.capacity}, text.capacity * 2,
             text.address, selector.address, address(state));
  define(inst, e_.load(8, state.base, state.offset + kJsonResult));
}

}  // namespace dt::bpf
