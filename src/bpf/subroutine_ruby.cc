// Routines that read stacks of Ruby's methods: see ruby.h. What they follow is described in
// symbol/ruby.h.

#include <cstddef>

#include "bpf/ruby.h"
#include "bpf/source_name.h"
#include "bpf/unwind_state.h"

namespace dt::bpf {

namespace {

using namespace symbol::ruby;
using symbol::RubyImage;

// Of one call of rb_vm_exec(): those in C, beside the others; and frames that are passed over, in
// so many turns.
constexpr std::int32_t kMaxInC = 32, kMaxPassed = 32, kMaxTurns = 64;
// What emit_ruby_skip()'s function returns.
constexpr std::int32_t kNoMark = 0, kMark = 1, kNotYet = 2;
constexpr std::int32_t kMaxStackWords = 1 << 28;
constexpr std::int32_t kMaxModules = 1 << 16;

// A member of the image that the last frame's code is of.
Reg of_image(Emitter& e, Reg state, std::size_t member, std::uint32_t bytes) {
  const std::size_t at = offsetof(symbol::InterpreterImage, ruby) + member;
  return e.load(bytes, interpreter_image(e, state), static_cast<std::int32_t>(at));
}

// Passes over all up to the next mark.
Reg skip(Unit& unit, Reg python) {
  Emitter& e = unit.e;
  const Label loop = e.label(), done = e.label();
  const Reg left = e.imm(kMaxTurns), found = e.reg();
  e.bind(loop);
  e.mov(found, e.call_subprogram(unit.routine(Routine::Kind::kRubySkip), {python}));
  e.jump_if_imm(Cond::kNe, found, kNotYet, done);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  e.bind(done);
  return found;
}

}  // namespace

void emit_ruby(Unit& unit, Label name, std::uint32_t bytes) {
  Emitter& e = unit.e;
  const std::vector<Reg> r = begin_routine(
      e, name, "dt_ruby", {{kernel::Parameter::Kind::kMemory, bytes}, kState, kPythonMemory});
  const Reg frames = r[0], state = r[1], python = r[2];
  const Label known = e.label(), none = e.label(), out = e.label(), loop = e.label();
  const Label next = e.label(), pass = e.label();
  const Reg place = e.load(8, python, kSourcePc);
  e.alu(Alu::kSub, place, e.load(8, state, kOwnerAt));
  e.alu(Alu::kSub, place, of_image(e, state, offsetof(RubyImage, run), 8));
  e.jump_if(Cond::kGt, place, of_image(e, state, offsetof(RubyImage, run_bytes), 4), out);
  e.jump_if_imm(Cond::kNe, e.load(8, python, kRubyFrameAt), kPythonUnknown, known);
  e.call_subprogram(unit.routine(Routine::Kind::kRubyThread), {state, python});
  e.bind(known);
  e.jump_if_imm(Cond::kEq, e.load(8, python, kRubyFrameAt), kPythonNone, out);
  e.jump_if_imm(Cond::kEq, e.load(8, python, kRubyPass), kPassCall, pass);
  e.store(8, python, kPythonAt, behind(e, e.load(8, python, kPythonAt), -8));
  const Reg left = e.imm(static_cast<std::int32_t>(bytes / 8) + kMaxInC);
  e.bind(loop);
  e.jump_if_imm(Cond::kGt, e.load(8, python, kPythonAt), static_cast<std::int32_t>(bytes) - 8, out);
  const Reg end = behind(e, e.load(8, python, kRubyFrameAt), kFrameBytes);
  e.jump_if(Cond::kGt, end, e.load(8, python, kRubyEnd), none);
  e.call_subprogram(unit.routine(Routine::Kind::kRubyFrame), {python});
  e.store(8, python, kRubyFrameAt, behind(e, e.load(8, python, kRubyFrameAt), kFrameBytes));
  e.jump_if_imm(Cond::kEq, e.load(8, python, kPythonWord), 0, next);
  const Reg to = e.held_copy(e.load(8, python, kPythonAt));
  e.jump_if_imm(Cond::kGt, to, static_cast<std::int32_t>(bytes) - 8, out);
  e.alu(Alu::kAdd, to, frames);
  e.store(8, to, 0, e.load(8, python, kPythonWord));
  e.store(8, python, kPythonAt, behind(e, e.load(8, python, kPythonAt), 8));
  e.bind(next);
  e.jump_if_imm(Cond::kNe, e.load(8, python, kPythonIsEntry), 0, out);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  e.bind(none);
  e.store_imm(8, python, kRubyFrameAt, kPythonNone);
  e.bind(out);
  ret_imm(e, 0);
  e.bind(pass);
  e.store_imm(8, python, kRubyPass, kPassed);
  ret_imm(e, 0);
}

void emit_ruby_thread(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const std::int32_t base = unit.memory.machine.unwind.task_thread_base;
  const std::vector<Reg> r = begin_routine(e, name, "dt_ruby_thread", {kState, kPythonMemory});
  const Reg state = r[0], python = r[1];
  const Label none = e.label();
  e.store_imm(8, python, kRubyFrameAt, kPythonNone);
  const Reg place = of_image(e, state, offsetof(RubyImage, module), 8);
  e.alu(Alu::kAdd, place, e.load(8, state, kOwnerAt));
  read_buffer(e, python, place, 8, none);
  const Reg module = in_buffer(e, python, 0);
  e.jump_if_imm(Cond::kEq, module, 0, none);
  e.jump_if_imm(Cond::kGt, module, kMaxModules, none);
  const Reg thread = e.call(BPF_FUNC_get_current_task, {});
  const Reg self = Sight(unit, state, thread, base).word(base);
  read_buffer(e, python, behind(e, self, kThreadModules), 8, none);
  const Reg modules = in_buffer(e, python, 0);
  read_buffer(e, python, behind(e, modules, kModulesCount), 8, none);
  e.jump_if(Cond::kGt, module, in_buffer(e, python, 0), none);
  e.alu_imm(Alu::kLsh, module, kModuleShift);
  e.alu(Alu::kAdd, module, modules);
  read_buffer(e, python, module, 8, none);
  const Reg variable = in_buffer(e, python, 0);
  e.alu(Alu::kAdd, variable, of_image(e, state, offsetof(RubyImage, context), 4));
  read_buffer(e, python, variable, 8, none);
  read_buffer(e, python, in_buffer(e, python, 0), kContextBytes, none);
  const Reg stack = in_buffer(e, python, kContextStack), end = in_buffer(e, python, kContextWords);
  e.jump_if_imm(Cond::kGt, end, kMaxStackWords, none);
  e.alu_imm(Alu::kLsh, end, 3);
  e.alu(Alu::kAdd, end, stack);
  const Reg frame = in_buffer(e, python, kContextFrame);
  e.jump_if(Cond::kLt, frame, stack, none);
  e.jump_if(Cond::kGe, frame, end, none);
  e.store(8, python, kRubyEnd, end);
  e.store(8, python, kRubyFrameAt, frame);
  e.jump_if_imm(Cond::kNe, e.load(8, python, kRubyPass), kPassFrames, none);
  e.store_imm(8, python, kRubyPass, kPassed);
  skip(unit, python);
  e.bind(none);
  ret_imm(e, 0);
}

void emit_ruby_skip(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const Reg python = begin_routine(e, name, "dt_ruby_skip", {kPythonMemory})[0];
  const Label loop = e.label(), none = e.label(), found = e.label();
  const Reg left = e.imm(kMaxPassed);
  e.bind(loop);
  const Reg end = behind(e, e.load(8, python, kRubyFrameAt), kFrameBytes);
  e.jump_if(Cond::kGt, end, e.load(8, python, kRubyEnd), none);
  read_buffer(e, python, e.load(8, python, kRubyFrameAt), kFrameRead, none);
  e.store(8, python, kRubyFrameAt, behind(e, e.load(8, python, kRubyFrameAt), kFrameBytes));
  read_buffer(e, python, in_buffer(e, python, kFrameLocals), 8, none);
  e.jump_if_imm(Cond::kSet, in_buffer(e, python, 0), kFlagFinish, found);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  ret_imm(e, kNotYet);
  e.bind(none);
  ret_imm(e, kNoMark);
  e.bind(found);
  ret_imm(e, kMark);
}

void emit_ruby_check(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const Reg python = begin_routine(e, name, "dt_ruby_check", {kPythonMemory})[0];
  const Label right = e.label(), more = e.label(), again = e.label();
  const Reg pass = e.imm(kPassCall), end = e.load(8, python, kRubyEnd);
  e.jump_if_imm(Cond::kNe, e.load(8, python, kRubyPass), kPassNothing, right);
  e.jump_if(Cond::kNe, e.load(8, python, kRubyFrameAt), end, more);
  e.jump(again);
  e.bind(more);
  e.jump_if_imm(Cond::kNe, skip(unit, python), kMark, right);
  e.jump_if(Cond::kEq, e.load(8, python, kRubyFrameAt), e.load(8, python, kRubyEnd), right);
  e.mov_imm(pass, kPassFrames);
  e.bind(again);
  e.store(8, python, kRubyPass, pass);
  ret_imm(e, 1);
  e.bind(right);
  ret_imm(e, 0);
}

void emit_ruby_frame(Unit& unit, Label name) {
  constexpr auto kTag = static_cast<std::int64_t>(symbol::kSourceTag);
  Emitter& e = unit.e;
  const Reg python = begin_routine(e, name, "dt_ruby_frame", {kPythonMemory})[0];
  const Label lost = e.label(), other = e.label(), out = e.label(), named = e.label();
  e.store(8, python, kPythonWord, e.imm(kTag));
  e.store_imm(8, python, kPythonIsEntry, 1);
  read_buffer(e, python, e.load(8, python, kRubyFrameAt), kFrameRead, lost);
  const Reg place = in_buffer(e, python, kFrameInstruction),
            code = in_buffer(e, python, kFrameCode);
  const Reg locals = in_buffer(e, python, kFrameLocals);
  read_buffer(e, python, locals, 8, lost);
  const Reg flags = in_buffer(e, python, 0), finish = copy(e, flags);
  e.alu_imm(Alu::kAnd, finish, kFlagFinish);
  e.store(8, python, kPythonIsEntry, finish);
  e.jump_if_imm(Cond::kSet, flags, kFlagC, other);
  e.jump_if_imm(Cond::kEq, code, 0, other);
  e.jump_if_imm(Cond::kEq, place, 0, other);
  read_buffer(e, python, code, kCodeBytes, out);
  const Reg kind = in_buffer(e, python, 0), body = in_buffer(e, python, kCodeBody);
  e.alu_imm(Alu::kAnd, kind, kCodeKindMask);
  e.jump_if_imm(Cond::kNe, kind, kCodeKind, out);
  read_buffer(e, python, body, kBodyBytes, out);
  e.alu(Alu::kSub, place, in_buffer(e, python, kBodyInstructions));
  e.alu_imm(Alu::kRsh, place, 3);
  e.jump_if(Cond::kGt, place, in_buffer(e, python, kBodySize, 4), out);
  // It stands behind the instruction that runs, but at the first one.
  e.jump_if_imm(Cond::kEq, place, 0, named);
  e.alu_imm(Alu::kSub, place, 1);
  e.bind(named);
  e.store(8, python, kPythonTarget, place);
  e.store(8, python, kPythonFunction, in_buffer(e, python, kBodyLabel));
  e.store(8, python, kPythonFile, in_buffer(e, python, kBodyPath));
  e.store(8, python, kPythonTable, in_buffer(e, python, kBodyLines));
  e.store(8, python, kPythonSize, in_buffer(e, python, kBodyLineCount, 4));
  e.store(8, python, kPythonPlace, in_buffer(e, python, kBodyLineIndex));
  e.call_subprogram(unit.routine(Routine::Kind::kRubyLine), {python});
  e.call_subprogram(unit.routine(Routine::Kind::kRubyName), {python});
  e.jump_if_imm(Cond::kEq, e.load(8, python, kPythonWord), 0, out);
  enter_line(e, python);
  ret_imm(e, 0);
  e.bind(other);
  e.store_imm(8, python, kPythonWord, 0);
  ret_imm(e, 0);
  e.bind(out);
  e.store(8, python, kPythonWord, e.imm(kTag));
  e.bind(lost);
  ret_imm(e, 0);
}

namespace {

// How many bits are set.
Reg ones(Emitter& e, Reg word) {
  const auto fold = [&](std::int64_t mask, std::int32_t shift) {
    const Reg high = copy(e, word), both = e.imm(mask);
    e.alu_imm(Alu::kRsh, high, shift);
    e.alu(Alu::kAnd, high, both);
    e.alu(Alu::kAnd, word, both);
    e.alu(Alu::kAdd, word, high);
  };
  fold(0x5555555555555555, 1);
  fold(0x3333333333333333, 2);
  fold(0x0f0f0f0f0f0f0f0f, 4);
  e.alu(Alu::kMul, word, e.imm(0x0101010101010101));
  e.alu_imm(Alu::kRsh, word, 56);
  return word;
}

// Of the entry that has the place, the first being 1.
Reg rank_of(Emitter& e, Reg python, Label none) {
  const Label is_first = e.label(), known = e.label(), first_word = e.label();
  const Reg rank = e.reg(), place = e.load(8, python, kPythonTarget);
  const Reg index = e.load(8, python, kPythonPlace);
  e.jump_if_imm(Cond::kLt, place, kIndexFirst, is_first);
  e.alu_imm(Alu::kSub, place, kIndexFirst);
  const Reg block = copy(e, place);
  e.alu_imm(Alu::kRsh, block, kIndexBlockShift);
  e.alu_imm(Alu::kMul, block, kIndexBlockBytes);
  e.alu_imm(Alu::kAdd, block, kIndexBlocks);
  e.alu(Alu::kAdd, block, index);
  read_buffer(e, python, block, kIndexBlockBytes, none);
  const Reg word = copy(e, place), bit = copy(e, place);
  e.alu_imm(Alu::kRsh, word, 6);
  e.alu_imm(Alu::kAnd, word, 7);
  e.mov(rank, in_buffer(e, python, 0, 4));
  e.jump_if_imm(Cond::kEq, word, 0, first_word);
  const Reg ranks = in_buffer(e, python, kIndexRanks), shift = behind(e, word, -1);
  e.alu_imm(Alu::kMul, shift, kIndexRankBits);
  e.alu(Alu::kRsh, ranks, shift);
  e.alu_imm(Alu::kAnd, ranks, (1 << kIndexRankBits) - 1);
  e.alu(Alu::kAdd, rank, ranks);
  e.bind(first_word);
  e.alu_imm(Alu::kLsh, word, 3);
  const Reg bits = e.load(8, sum(e, python, word), kPythonBuffer + kIndexWords);
  // Those up to the place.
  e.alu_imm(Alu::kAnd, bit, 63);
  e.alu_imm(Alu::kXor, bit, 63);
  e.alu(Alu::kLsh, bits, bit);
  e.alu(Alu::kAdd, rank, ones(e, bits));
  e.jump(known);
  e.bind(is_first);
  const Reg at = copy(e, place), low = copy(e, place);
  e.alu_imm(Alu::kDiv, at, kIndexInWord);
  e.alu_imm(Alu::kMod, low, kIndexInWord);
  e.alu_imm(Alu::kLsh, at, 3);
  e.alu(Alu::kAdd, at, index);
  read_buffer(e, python, at, 8, none);
  e.alu_imm(Alu::kMul, low, kIndexBits);
  e.mov(rank, in_buffer(e, python, 0));
  e.alu(Alu::kRsh, rank, low);
  e.alu_imm(Alu::kAnd, rank, (1 << kIndexBits) - 1);
  e.bind(known);
  return rank;
}

}  // namespace

void emit_ruby_line(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const Reg python = begin_routine(e, name, "dt_ruby_line", {kPythonMemory})[0];
  const Label none = e.label(), only = e.label();
  e.store_imm(8, python, kPythonNumber, 0);
  const Reg count = e.load(8, python, kPythonSize), entry = e.imm(0);
  e.jump_if_imm(Cond::kEq, count, 0, none);
  e.jump_if_imm(Cond::kEq, count, 1, only);
  e.mov(entry, rank_of(e, python, none));
  e.alu_imm(Alu::kSub, entry, 1);
  e.jump_if(Cond::kGe, entry, e.load(8, python, kPythonSize), none);
  e.bind(only);
  e.alu_imm(Alu::kMul, entry, kLineBytes);
  e.alu(Alu::kAdd, entry, e.load(8, python, kPythonTable));
  read_buffer(e, python, entry, 4, none);
  e.store(8, python, kPythonNumber, in_buffer(e, python, 0, 4));
  e.bind(none);
  ret_imm(e, 0);
}

namespace {

// A string, or the one that is first in an array.
void take_text(Emitter& e, Reg python, SourceNameCode& name, std::int32_t object,
               const SourceText& text) {
  const Label is_text = e.label(), is_here = e.label(), take = e.label();
  const Reg from = e.load(8, python, object);
  const auto read_kind = [&](std::int32_t wanted, Label right) {
    read_buffer(e, python, from, kTextBytes, name.none());
    const Reg kind = in_buffer(e, python, 0);
    e.alu_imm(Alu::kAnd, kind, kTypeMask);
    e.jump_if_imm(Cond::kEq, kind, wanted, right);
  };
  read_kind(kString, is_text);
  if (text.keeps_end) {
    const Label is_array = e.label(), has_it = e.label();
    const Reg kind = in_buffer(e, python, 0), type = copy(e, kind);
    e.alu_imm(Alu::kAnd, type, kTypeMask);
    e.jump_if_imm(Cond::kEq, type, kArray, is_array);
    e.jump(name.none());
    e.bind(is_array);
    e.jump_if_imm(Cond::kSet, kind, kUserFlag, has_it);
    e.jump(name.none());
    e.bind(has_it);
    e.mov(from, in_buffer(e, python, kTextHere));
    read_kind(kString, is_text);
  }
  e.jump(name.none());
  e.bind(is_text);
  const Reg flags = in_buffer(e, python, 0), length = in_buffer(e, python, kTextLength);
  const Reg elsewhere = in_buffer(e, python, kTextPlace);
  const Label is_elsewhere = e.label();
  e.jump_if_imm(Cond::kSet, flags, kUserFlag, is_elsewhere);
  e.jump(is_here);
  e.bind(is_elsewhere);
  e.mov(from, elsewhere);
  e.jump(take);
  e.bind(is_here);
  e.alu_imm(Alu::kAdd, from, kTextHere);
  e.mov(length, flags);
  e.alu_imm(Alu::kRsh, length, kTextShift);
  e.alu_imm(Alu::kAnd, length, kTextMask);
  e.bind(take);
  name.take(text, from, length, e.imm(1), e.imm(symbol::kUtf8Width));
}

}  // namespace

void emit_ruby_name(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const Reg python = begin_routine(e, name, "dt_ruby_name", {kPythonMemory})[0];
  SourceNameCode(e, python).write([&](SourceNameCode& code) {
    take_text(e, python, code, kPythonFunction, kSourceFunction);
    take_text(e, python, code, kPythonFile, kSourceFile);
  });
}

}  // namespace dt::bpf
