// Routines that read one frame of Ruby: see ruby.h. What they follow is described in
// symbol/interpreter/ruby.h.

#include <cstddef>
#include <cstring>
#include <string_view>

#include "bpf/stack/ruby.h"
#include "bpf/stack/source_name.h"
#include "bpf/stack/unwind_state.h"

namespace dt::bpf {

namespace {

namespace cruby = symbol::ruby;

// The one that has called what is written in C: its code and its place in that. To `none` when
// there is none.
void find_caller(Emitter& e, Reg python, Reg code, Reg place, Label none) {
  constexpr std::int32_t kMostInC = 16;  // that are called by one another
  const Label loop = e.label(), found = e.label(), next = e.label();
  const Reg left = e.imm(kMostInC);
  e.store(8, python, kRubyAhead, e.load(8, python, kRubyFrameAt));
  e.bind(loop);
  const Reg frame = e.load(8, python, kRubyAhead);
  e.jump_if(Cond::kGe, frame, e.load(8, python, kRubyEnd), none);
  read_buffer(e, python, frame, cruby::kFrameRead, none);
  e.load_to(code, 8, python, kPythonBuffer + cruby::kFrameCode);
  e.load_to(place, 8, python, kPythonBuffer + cruby::kFrameInstruction);
  e.jump_if_imm(Cond::kEq, code, 0, next);
  e.jump_if_imm(Cond::kNe, place, 0, found);
  e.bind(next);
  e.store(8, python, kRubyAhead, behind(e, frame, cruby::kFrameBytes));
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  e.jump(none);
  e.bind(found);
}

// What the body of the code in the buffer says of its name, its file and its lines, for the
// routines that read these.
void note_body(Emitter& e, Reg python, Reg place) {
  e.store(8, python, kPythonTarget, place);
  const Label labelled = e.label();
  const Reg label = in_buffer(e, python, cruby::kBodyLabel);
  e.jump_if_imm(Cond::kNe, in_buffer(e, python, 0, 4), cruby::kBodyIsMain, labelled);
  e.mov_imm(label, 0);
  e.bind(labelled);
  e.store(8, python, kPythonFunction, label);
  e.store(8, python, kPythonFile, in_buffer(e, python, cruby::kBodyPath));
  e.store(8, python, kPythonTable, in_buffer(e, python, cruby::kBodyLines));
  e.store(8, python, kPythonSize, in_buffer(e, python, cruby::kBodyLineCount, 4));
  e.store(8, python, kPythonPlace, in_buffer(e, python, cruby::kBodyLineIndex));
}

// Makes `place`, an address in the body of `code`, the number of the instruction that runs, and
// notes the body. Jumps to `unknown` if `code` is no instruction sequence (rb_iseq_t).
void find_place(Emitter& e, Reg python, Reg code, Reg place, Label unknown) {
  const Label is_first = e.label();
  read_buffer(e, python, code, cruby::kCodeBytes, unknown);
  const Reg kind = in_buffer(e, python, 0), body = in_buffer(e, python, cruby::kCodeBody);
  e.alu_imm(Alu::kAnd, kind, cruby::kKindMask);
  e.jump_if_imm(Cond::kNe, kind, cruby::kCodeKind, unknown);
  read_buffer(e, python, body, cruby::kBodyBytes, unknown);
  e.alu(Alu::kSub, place, in_buffer(e, python, cruby::kBodyInstructions));
  e.alu_imm(Alu::kRsh, place, 3);
  e.jump_if(Cond::kGt, place, in_buffer(e, python, cruby::kBodySize, 4), unknown);
  // It stands behind the instruction that runs, but at the first one.
  e.jump_if_imm(Cond::kEq, place, 0, is_first);
  e.alu_imm(Alu::kSub, place, 1);
  e.bind(is_first);
  note_body(e, python, place);
}

// The line, and the name: of the method in C where there is one, otherwise of the code's body.
// Jumps to `unknown` if there is no name.
void find_names(Unit& unit, Reg python, Label unknown) {
  Emitter& e = unit.e;
  const Label of_ruby = e.label();
  e.call_subprogram(unit.routine(Routine::Kind::kRubyLine), {python});
  e.jump_if_imm(Cond::kEq, e.load(8, python, kRubyMethod), 0, of_ruby);
  const Reg status = e.call_subprogram(unit.routine(Routine::Kind::kRubyMethod), {python});
  e.jump_if_imm(Cond::kNe, status, 0, unknown);
  e.bind(of_ruby);
  e.call_subprogram(unit.routine(Routine::Kind::kRubyName), {python});
  e.jump_if_imm(Cond::kEq, e.load(8, python, kPythonWord), 0, unknown);
}

}  // namespace

void emit_ruby_frame(Unit& unit, Label name) {
  constexpr auto kTag = static_cast<std::int64_t>(symbol::kSourceTag);
  Emitter& e = unit.e;
  const Reg python = begin_routine(e, name, "dt_ruby_frame", {kPythonMemory})[0];
  const Label lost = e.label(), other = e.label(), out = e.label(), over = e.label();
  const Label in_c = e.label(), has_code = e.label();
  e.jump_if_imm(Cond::kEq, e.load(8, python, kRubyCalls), 0, over);
  e.store(8, python, kPythonWord, e.imm(kTag));
  e.store_imm(8, python, kRubyMethod, 0);
  const Reg frame = e.load(8, python, kRubyFrameAt);
  e.jump_if(Cond::kGe, frame, e.load(8, python, kRubyEnd), lost);
  read_buffer(e, python, frame, cruby::kFrameRead, lost);
  e.store(8, python, kRubyFrameAt, behind(e, frame, cruby::kFrameBytes));
  const Reg place = in_buffer(e, python, cruby::kFrameInstruction),
            code = in_buffer(e, python, cruby::kFrameCode);
  const Reg locals = in_buffer(e, python, cruby::kFrameLocals);
  e.alu_imm(Alu::kAdd, locals, cruby::kLocalsMethod);
  read_buffer(e, python, locals, cruby::kLocalsBytes, lost);
  const Reg flags = in_buffer(e, python, -cruby::kLocalsMethod);
  e.jump_if_imm(Cond::kEq, code, 0, in_c);
  e.jump_if_imm(Cond::kSet, flags, cruby::kFlagC, other);
  e.jump_if_imm(Cond::kEq, place, 0, other);
  e.alu_imm(Alu::kAnd, flags, cruby::kFlagFinish);
  e.jump_if_imm(Cond::kEq, flags, 0, has_code);
  // Of two, the first one is of a call that has not begun.
  const Reg calls = e.load(8, python, kRubyCalls);
  e.alu_imm(Alu::kSub, calls, 1);
  e.store(8, python, kRubyCalls, calls);
  e.jump_if_imm(Cond::kNe, calls, 0, other);
  e.jump(has_code);

  e.bind(in_c);
  e.alu_imm(Alu::kAnd, flags, cruby::kMagicMask);
  e.jump_if_imm(Cond::kNe, flags, cruby::kMagicInC, other);
  e.jump_if_imm(Cond::kEq, e.load(8, python, kRubyNames), 0, other);
  e.store(8, python, kRubyMethod, in_buffer(e, python, 0));
  find_caller(e, python, code, place, out);

  e.bind(has_code);
  e.jump_if_imm(Cond::kGt, e.load(8, python, kRubyCalls), 1, other);
  find_place(e, python, code, place, out);
  find_names(unit, python, out);
  enter_line(e, python);
  ret_imm(e, kRubyEnter);
  e.bind(other);
  ret_imm(e, kRubySkip);
  e.bind(over);
  ret_imm(e, kRubyOver);
  e.bind(out);
  e.store(8, python, kPythonWord, e.imm(kTag));
  ret_imm(e, kRubyEnter);
  e.bind(lost);
  ret_imm(e, -1);
}

namespace {

// Element `index` of the array at `object`.
Reg element(Emitter& e, Reg python, Reg object, Reg index, Label none) {
  const Label here = e.label(), sized = e.label();
  const Reg size = e.reg(), from = e.reg();
  read_buffer(e, python, object, cruby::kArrayBytes, none);
  const Reg flags = in_buffer(e, python, 0), type = copy(e, flags);
  e.alu_imm(Alu::kAnd, type, cruby::kTypeMask);
  e.jump_if_imm(Cond::kNe, type, cruby::kArray, none);
  e.jump_if_imm(Cond::kSet, flags, cruby::kUserFlag, here);
  e.load_to(size, 8, python, kPythonBuffer + cruby::kArrayLength);
  e.load_to(from, 8, python, kPythonBuffer + cruby::kArrayPlace);
  e.jump(sized);
  e.bind(here);
  e.mov(size, flags);
  e.alu_imm(Alu::kRsh, size, cruby::kArrayShift);
  e.alu_imm(Alu::kAnd, size, cruby::kArrayMask);
  e.mov(from, object);
  e.alu_imm(Alu::kAdd, from, cruby::kArrayHere);
  e.bind(sized);
  e.jump_if(Cond::kGe, index, size, none);
  const Reg offset = copy(e, index);
  e.alu_imm(Alu::kLsh, offset, 3);
  e.alu(Alu::kAdd, from, offset);
  read_buffer(e, python, from, 8, none);
  return in_buffer(e, python, 0);
}

}  // namespace

void emit_ruby_method(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const Reg python = begin_routine(e, name, "dt_ruby_method", {kPythonMemory})[0];
  const Label none = e.label(), have = e.label(), is_operator = e.label();
  const auto kind = [&] {
    const Reg out = in_buffer(e, python, 0);
    e.alu_imm(Alu::kAnd, out, cruby::kKindMask);
    return out;
  };
  // A frame that has special variables has its method behind them.
  read_buffer(e, python, e.load(8, python, kRubyMethod), cruby::kMethodBytes, none);
  const Reg first = kind();
  e.jump_if_imm(Cond::kEq, first, cruby::kMethodKind, have);
  e.jump_if_imm(Cond::kNe, first, cruby::kVariablesKind, none);
  read_buffer(e, python, in_buffer(e, python, cruby::kVariablesMethod), cruby::kMethodBytes, none);
  e.jump_if_imm(Cond::kNe, kind(), cruby::kMethodKind, none);
  e.bind(have);
  const Reg definition = in_buffer(e, python, cruby::kMethodDefinition);
  read_buffer(e, python, behind(e, definition, cruby::kDefinitionName), 8, none);
  const Reg number = in_buffer(e, python, 0);
  e.jump_if_imm(Cond::kLe, number, cruby::kLastOperator, is_operator);
  e.alu_imm(Alu::kRsh, number, cruby::kNameShift);
  e.bind(is_operator);
  e.zero_extend(number, 4);
  read_buffer(e, python, e.load(8, python, kRubyNames), 8, none);
  const Reg names = in_buffer(e, python, 0), which = copy(e, number);
  e.alu_imm(Alu::kRsh, which, cruby::kNamesShift);
  const Reg part = element(e, python, names, which, none);
  e.alu_imm(Alu::kAnd, number, (1 << cruby::kNamesShift) - 1);
  e.alu_imm(Alu::kLsh, number, 1);
  const Reg text = element(e, python, part, number, none);
  e.jump_if_imm(Cond::kEq, text, 0, none);
  e.store(8, python, kPythonFunction, text);
  ret_imm(e, 0);
  e.bind(none);
  ret_imm(e, -1);
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
  e.jump_if_imm(Cond::kLt, place, cruby::kIndexFirst, is_first);
  e.alu_imm(Alu::kSub, place, cruby::kIndexFirst);
  const Reg block = copy(e, place);
  e.alu_imm(Alu::kRsh, block, cruby::kIndexBlockShift);
  e.alu_imm(Alu::kMul, block, cruby::kIndexBlockBytes);
  e.alu_imm(Alu::kAdd, block, cruby::kIndexBlocks);
  e.alu(Alu::kAdd, block, index);
  read_buffer(e, python, block, cruby::kIndexBlockBytes, none);
  const Reg word = copy(e, place), bit = copy(e, place);
  e.alu_imm(Alu::kRsh, word, 6);
  e.alu_imm(Alu::kAnd, word, 7);
  e.mov(rank, in_buffer(e, python, 0, 4));
  e.jump_if_imm(Cond::kEq, word, 0, first_word);
  const Reg ranks = in_buffer(e, python, cruby::kIndexRanks), shift = behind(e, word, -1);
  e.alu_imm(Alu::kMul, shift, cruby::kIndexRankBits);
  e.alu(Alu::kRsh, ranks, shift);
  e.alu_imm(Alu::kAnd, ranks, (1 << cruby::kIndexRankBits) - 1);
  e.alu(Alu::kAdd, rank, ranks);
  e.bind(first_word);
  e.alu_imm(Alu::kLsh, word, 3);
  const Reg bits = e.load(8, sum(e, python, word), kPythonBuffer + cruby::kIndexWords);
  // Those up to the place.
  e.alu_imm(Alu::kAnd, bit, 63);
  e.alu_imm(Alu::kXor, bit, 63);
  e.alu(Alu::kLsh, bits, bit);
  e.alu(Alu::kAdd, rank, ones(e, bits));
  e.jump(known);
  e.bind(is_first);
  const Reg at = copy(e, place), low = copy(e, place);
  e.alu_imm(Alu::kDiv, at, cruby::kIndexInWord);
  e.alu_imm(Alu::kMod, low, cruby::kIndexInWord);
  e.alu_imm(Alu::kLsh, at, 3);
  e.alu(Alu::kAdd, at, index);
  read_buffer(e, python, at, 8, none);
  e.alu_imm(Alu::kMul, low, cruby::kIndexBits);
  e.mov(rank, in_buffer(e, python, 0));
  e.alu(Alu::kRsh, rank, low);
  e.alu_imm(Alu::kAnd, rank, (1 << cruby::kIndexBits) - 1);
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
  e.alu_imm(Alu::kMul, entry, cruby::kLineBytes);
  e.alu(Alu::kAdd, entry, e.load(8, python, kPythonTable));
  read_buffer(e, python, entry, 4, none);
  e.store(8, python, kPythonNumber, in_buffer(e, python, 0, 4));
  e.bind(none);
  ret_imm(e, 0);
}

namespace {

// What begins a program has always the same label, for which 0 stands here: it is among the
// library's constants, which are not resident in a process that has just been forked.
void main_label(Emitter& e, Reg python, Reg label, Label done) {
  constexpr std::string_view kMain = "<main>";
  const Label other = e.label();
  std::int64_t word = 0;
  std::memcpy(&word, kMain.data(), kMain.size());
  e.jump_if_imm(Cond::kNe, label, 0, other);
  e.store(8, python, in_record(kSourceFunction.at), e.imm(word));
  e.store_imm(4, python, in_record(kSourceFunction.length_at), kMain.size());
  e.store_imm(4, python, in_record(kSourceFunction.width_at), symbol::kUtf8Width);
  e.jump(done);
  e.bind(other);
}

// A string, or the one that is first in an array.
void take_ruby_text(Emitter& e, Reg python, SourceNameCode& name, std::int32_t object,
                    const SourceText& text) {
  const Label is_text = e.label(), is_here = e.label(), take = e.label();
  const Reg from = e.load(8, python, object);
  const Label done = e.label();
  if (!text.keeps_end) main_label(e, python, from, done);
  const auto read_kind = [&](std::int32_t wanted, Label right) {
    read_buffer(e, python, from, cruby::kTextBytes, name.none());
    const Reg kind = in_buffer(e, python, 0);
    e.alu_imm(Alu::kAnd, kind, cruby::kTypeMask);
    e.jump_if_imm(Cond::kEq, kind, wanted, right);
  };
  read_kind(cruby::kString, is_text);
  if (text.keeps_end) {
    const Label is_array = e.label(), has_it = e.label();
    const Reg kind = in_buffer(e, python, 0), type = copy(e, kind);
    e.alu_imm(Alu::kAnd, type, cruby::kTypeMask);
    e.jump_if_imm(Cond::kEq, type, cruby::kArray, is_array);
    e.jump(name.none());
    e.bind(is_array);
    e.jump_if_imm(Cond::kSet, kind, cruby::kUserFlag, has_it);
    e.jump(name.none());
    e.bind(has_it);
    e.mov(from, in_buffer(e, python, cruby::kTextHere));
    read_kind(cruby::kString, is_text);
  }
  e.jump(name.none());
  e.bind(is_text);
  const Reg flags = in_buffer(e, python, 0), length = in_buffer(e, python, cruby::kTextLength);
  const Reg elsewhere = in_buffer(e, python, cruby::kTextPlace);
  const Label is_elsewhere = e.label();
  e.jump_if_imm(Cond::kSet, flags, cruby::kUserFlag, is_elsewhere);
  e.jump(is_here);
  e.bind(is_elsewhere);
  e.mov(from, elsewhere);
  e.jump(take);
  e.bind(is_here);
  e.alu_imm(Alu::kAdd, from, cruby::kTextHere);
  e.mov(length, flags);
  e.alu_imm(Alu::kRsh, length, cruby::kTextShift);
  e.alu_imm(Alu::kAnd, length, cruby::kTextMask);
  e.bind(take);
  name.take(text, from, length, e.imm(1), e.imm(symbol::kUtf8Width));
  e.bind(done);
}

}  // namespace

void emit_ruby_name(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const Reg python = begin_routine(e, name, "dt_ruby_name", {kPythonMemory})[0];
  SourceNameCode(e, python).write([&](SourceNameCode& code) {
    take_ruby_text(e, python, code, kPythonFunction, kSourceFunction);
    take_ruby_text(e, python, code, kPythonFile, kSourceFile);
  });
}

}  // namespace dt::bpf
