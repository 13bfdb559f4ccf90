// Routines that find out what Ruby is running: see ruby.h. What they follow is described in
// symbol/interpreter/ruby.h.

#include <cstddef>

#include "bpf/stack/ruby.h"
#include "bpf/stack/source_name.h"
#include "bpf/stack/unwind_state.h"

namespace dt::bpf {

namespace {

namespace cruby = symbol::ruby;
using symbol::RubyImage;

constexpr std::int32_t kMaxInC = 32;        // of one call of rb_vm_exec(), beside the others
constexpr std::int32_t kMaxTags = 32;       // of C, between those of rb_vm_exec()
constexpr std::int32_t kMaxCounted = 1024;  // frames, or tags: so many in one step
constexpr std::int32_t kCountedInStep = 16;
constexpr std::int32_t kMaxStackWords = 1 << 28;
constexpr std::int32_t kMaxModules = 1 << 16;

// A member of the image that the last frame's code is of.
Reg of_image(Emitter& e, Reg state, std::size_t member, std::uint32_t bytes) {
  const std::size_t at = offsetof(symbol::InterpreterImage, ruby) + member;
  return e.load(bytes, interpreter_image(e, state), static_cast<std::int32_t>(at));
}

// Jumps unless the frame in the buffer is one of Ruby's own with a mark.
void look_for_mark(Emitter& e, Reg python, Label not_marked, Label bad) {
  e.jump_if_imm(Cond::kEq, in_buffer(e, python, cruby::kFrameCode), 0, not_marked);
  e.jump_if_imm(Cond::kEq, in_buffer(e, python, cruby::kFrameInstruction), 0, not_marked);
  const Label marked = e.label();
  read_buffer(e, python, in_buffer(e, python, cruby::kFrameLocals), 8, bad);
  e.jump_if_imm(Cond::kSet, in_buffer(e, python, 0), cruby::kFlagFinish, marked);
  e.jump(not_marked);
  e.bind(marked);
}

// Jumps unless the tag in the buffer is one of rb_vm_exec().
void look_for_label(Emitter& e, Reg python, Label other) {
  const Reg label = in_buffer(e, python, cruby::kTagLabel);
  e.jump_if(Cond::kLt, label, e.load(8, python, kRubyRun), other);
  e.jump_if(Cond::kGe, label, e.load(8, python, kRubyRunEnd), other);
}

// The last of the frames makes room.
void leave_frame(Emitter& e, Reg python) {
  e.store(8, python, kPythonAt, behind(e, e.load(8, python, kPythonAt), -8));
}

void enter_word(Emitter& e, Reg frames, Reg python, std::uint32_t bytes, Label full) {
  const Reg to = e.held_copy(e.load(8, python, kPythonAt));
  e.jump_if_imm(Cond::kGt, to, static_cast<std::int32_t>(bytes) - 8, full);
  e.alu(Alu::kAdd, to, frames);
  e.store(8, to, 0, e.load(8, python, kPythonWord));
  e.store(8, python, kPythonAt, behind(e, e.load(8, python, kPythonAt), 8));
}

// kRubyCalls becomes how many marks end what this call of rb_vm_exec() runs; jumps to `lost` if
// that is not known. Unless the frame is the loop of instructions, whose call has not been seen
// yet, the tag becomes that of the next call.
void begin_call(Unit& unit, Reg python, Label lost) {
  Emitter& e = unit.e;
  const Label counted = e.label(), is_tag_kept = e.label();
  const Reg calls = e.imm(1);
  e.jump_if_imm(Cond::kEq, e.load(8, python, kRubyIsFirst), 0, counted);
  e.store_imm(8, python, kRubyIsFirst, 0);
  e.mov(calls, e.call_subprogram(unit.routine(Routine::Kind::kRubyBalance), {python}));
  e.bind(counted);
  e.store(8, python, kRubyCalls, calls);
  e.jump_if_imm(Cond::kSlt, calls, 0, lost);
  e.jump_if_imm(Cond::kNe, e.load(8, python, kRubyIsLoop), 0, is_tag_kept);
  e.call_subprogram(unit.routine(Routine::Kind::kRubyTag), {python});
  e.bind(is_tag_kept);
}

// Where frames of Ruby are entered: `bytes` of words at `to`.
struct FrameWords {
  Reg to;
  std::uint32_t bytes;
};

// Enters the frames down to the mark, and goes to `out`; goes on when one of them cannot be read.
void enter_frames(Unit& unit, Reg python, FrameWords words, Label out) {
  Emitter& e = unit.e;
  const Label loop = e.label(), next = e.label(), other = e.label(), lost = e.label();
  const Reg left = e.imm(static_cast<std::int32_t>(words.bytes / 8) + kMaxInC);
  e.bind(loop);
  const Reg status = e.call_subprogram(unit.routine(Routine::Kind::kRubyFrame), {python});
  e.jump_if_imm(Cond::kNe, status, kRubyEnter, other);
  enter_word(e, words.to, python, words.bytes, out);
  e.bind(next);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  e.jump(lost);
  e.bind(other);
  e.jump_if_imm(Cond::kEq, status, kRubySkip, next);
  e.jump_if_imm(Cond::kEq, status, kRubyOver, out);
  e.bind(lost);
}

}  // namespace

void emit_ruby(Unit& unit, Label name, std::uint32_t bytes) {
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_ruby",
                    {{kernel::Parameter::Kind::kMemory, bytes}, kStateParameter, kPythonMemory});
  const Reg frames = r[0], state = r[1], python = r[2];
  const Label known = e.label(), is_loop = e.label(), enter = e.label();
  const Label lost = e.label(), none = e.label(), out = e.label();
  const Reg tag = e.load(8, python, kRubyTag);
  e.jump_if_imm(Cond::kNe, tag, kPythonUnknown, known);
  e.call_subprogram(unit.routine(Routine::Kind::kRubyThread), {state, python});
  e.load_to(tag, 8, python, kRubyTag);
  e.bind(known);
  e.jump_if_imm(Cond::kEq, tag, kPythonNone, out);
  e.jump_if(Cond::kLt, tag, e.load(8, python, kPythonSp), none);
  const Reg caller = e.load(8, state, kPc), up = e.load(8, state, kSp);
  e.jump_if(Cond::kEq, caller, e.load(8, python, kRubyReturn), is_loop);
  const Label mine = e.label();
  e.jump_if(Cond::kLt, tag, up, mine);
  e.jump_if_imm(Cond::kNe, e.load(8, python, kRubyIsLoop), 0, none);
  e.jump(out);
  e.bind(mine);
  leave_frame(e, python);
  e.jump_if_imm(Cond::kEq, e.load(8, python, kRubyIsLoop), 0, enter);
  e.store_imm(8, python, kRubyIsLoop, 0);
  e.call_subprogram(unit.routine(Routine::Kind::kRubyTag), {python});
  e.jump(out);

  e.bind(is_loop);
  e.jump_if(Cond::kLt, tag, up, none);
  e.jump_if_imm(Cond::kNe, e.load(8, python, kRubyIsLoop), 0, none);
  leave_frame(e, python);
  e.store_imm(8, python, kRubyIsLoop, 1);

  e.bind(enter);
  begin_call(unit, python, lost);
  enter_frames(unit, python, {frames, bytes}, out);
  e.bind(lost);
  e.store(8, python, kPythonWord, e.imm(static_cast<std::int64_t>(symbol::kSourceTag)));
  enter_word(e, frames, python, bytes, none);
  e.bind(none);
  e.store_imm(8, python, kRubyTag, kPythonNone);
  e.bind(out);
  ret_imm(e, 0);
}

namespace {

// Where rb_vm_exec() is; where the loop returns to in it and where names are may not be known.
void find_run(Emitter& e, Reg state, Reg python) {
  const Label known = e.label();
  const Reg run = of_image(e, state, offsetof(RubyImage, run), 8);
  e.alu(Alu::kAdd, run, e.load(8, state, kOwnerAt));
  e.store(8, python, kRubyRun, run);
  const Reg back = of_image(e, state, offsetof(RubyImage, loop_return), 4);
  const Reg end = of_image(e, state, offsetof(RubyImage, run_bytes), 4);
  e.alu(Alu::kAdd, end, run);
  e.store(8, python, kRubyRunEnd, end);
  e.jump_if_imm(Cond::kNe, back, 0, known);
  e.mov_imm(run, -1);
  e.bind(known);
  e.alu(Alu::kAdd, back, run);
  e.store(8, python, kRubyReturn, back);
  const Label none = e.label();
  const Reg names = of_image(e, state, offsetof(RubyImage, names), 8);
  e.jump_if_imm(Cond::kEq, names, 0, none);
  e.alu(Alu::kAdd, names, e.load(8, state, kOwnerAt));
  e.bind(none);
  e.store(8, python, kRubyNames, names);
}

}  // namespace

void emit_ruby_thread(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const std::int32_t base = unit.memory.machine.unwind.task_thread_base;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_ruby_thread", {kStateParameter, kPythonMemory});
  const Reg state = r[0], python = r[1];
  const Label none = e.label();
  find_run(e, state, python);
  e.store_imm(8, python, kRubyTag, kPythonNone);
  e.store_imm(8, python, kRubyIsFirst, 1);
  e.store_imm(8, python, kRubyIsLoop, 0);
  const Reg place = of_image(e, state, offsetof(RubyImage, module), 8);
  e.alu(Alu::kAdd, place, e.load(8, state, kOwnerAt));
  read_buffer(e, python, place, 8, none);
  const Reg module = in_buffer(e, python, 0);
  e.jump_if_imm(Cond::kEq, module, 0, none);
  e.jump_if_imm(Cond::kGt, module, kMaxModules, none);
  const Reg thread = e.call(BPF_FUNC_get_current_task, {});
  const Reg self = Sight(unit, state, thread, base).word(base);
  read_buffer(e, python, behind(e, self, cruby::kThreadModules), 8, none);
  const Reg modules = in_buffer(e, python, 0);
  read_buffer(e, python, behind(e, modules, cruby::kModulesCount), 8, none);
  e.jump_if(Cond::kGt, module, in_buffer(e, python, 0), none);
  e.alu_imm(Alu::kLsh, module, cruby::kModuleShift);
  e.alu(Alu::kAdd, module, modules);
  read_buffer(e, python, module, 8, none);
  const Reg variable = in_buffer(e, python, 0);
  e.alu(Alu::kAdd, variable, of_image(e, state, offsetof(RubyImage, context), 4));
  read_buffer(e, python, variable, 8, none);
  read_buffer(e, python, in_buffer(e, python, 0), cruby::kContextBytes, none);
  const Reg stack = in_buffer(e, python, cruby::kContextStack),
            end = in_buffer(e, python, cruby::kContextWords);
  e.jump_if_imm(Cond::kGt, end, kMaxStackWords, none);
  e.alu_imm(Alu::kLsh, end, 3);
  e.alu(Alu::kAdd, end, stack);
  const Reg frame = in_buffer(e, python, cruby::kContextFrame);
  e.jump_if(Cond::kLt, frame, stack, none);
  e.jump_if(Cond::kGe, frame, end, none);
  // The last one is nothing that runs.
  e.alu_imm(Alu::kSub, end, cruby::kFrameBytes);
  e.store(8, python, kRubyEnd, end);
  e.store(8, python, kRubyFrameAt, frame);
  e.store(8, python, kRubyTagNext, in_buffer(e, python, cruby::kContextTag));
  e.call_subprogram(unit.routine(Routine::Kind::kRubyTag), {python});
  e.bind(none);
  ret_imm(e, 0);
}

void emit_ruby_tag(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const Reg python = begin_routine(e, name, "dt_ruby_tag", {kPythonMemory})[0];
  const Label loop = e.label(), other = e.label(), none = e.label();
  e.store_imm(8, python, kRubyTag, kPythonNone);
  const Reg left = e.imm(kMaxTags);
  e.bind(loop);
  const Reg tag = e.load(8, python, kRubyTagNext);
  e.jump_if_imm(Cond::kEq, tag, 0, none);
  read_buffer(e, python, tag, cruby::kTagBytes, none);
  e.store(8, python, kRubyTagNext, in_buffer(e, python, cruby::kTagPrevious));
  look_for_label(e, python, other);
  e.store(8, python, kRubyTag, tag);
  ret_imm(e, 0);
  e.bind(other);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  e.bind(none);
  ret_imm(e, 0);
}

// It is not looked at closely whether a call has just begun or is about to end: where it is
// possible, all are counted.
void emit_ruby_balance(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const Reg python = begin_routine(e, name, "dt_ruby_balance", {kPythonMemory})[0];
  const Label over = e.label(), count = e.label(), loop = e.label(), done = e.label();
  const Label usual = e.label(), bad = e.label();
  const Reg frame = e.load(8, python, kRubyFrameAt);
  read_buffer(e, python, frame, cruby::kFrameBytes, bad);
  const Reg place = in_buffer(e, python, cruby::kFrameInstruction),
            code = in_buffer(e, python, cruby::kFrameCode);
  look_for_mark(e, python, over, bad);
  // It may not have begun: it is where it begins, or there are places where it may begin.
  read_buffer(e, python, code, cruby::kCodeBytes, bad);
  read_buffer(e, python, in_buffer(e, python, cruby::kCodeBody), cruby::kBodyParameters + 8, bad);
  e.jump_if(Cond::kEq, place, in_buffer(e, python, cruby::kBodyInstructions), count);
  e.jump_if_imm(Cond::kSet, in_buffer(e, python, cruby::kBodyParameters, 4),
                cruby::kParametersHasOptional, count);
  // One that has ended is still below it, while nothing has been called since.
  e.bind(over);
  e.jump_if_imm(Cond::kGt, e.load(8, python, kPythonAt), 8, usual);
  const Reg below = behind(e, frame, -cruby::kFrameBytes);
  read_buffer(e, python, below, cruby::kFrameBytes, usual);
  look_for_mark(e, python, usual, usual);
  e.bind(count);
  e.store(8, python, kRubyAhead, frame);
  e.store(8, python, kRubyTagAhead, e.load(8, python, kRubyTag));
  e.store_imm(8, python, kRubyDifference, 0);
  const Reg left = e.imm(kMaxCounted / kCountedInStep);
  e.bind(loop);
  const Reg status = e.call_subprogram(unit.routine(Routine::Kind::kRubyStep), {python});
  e.jump_if_imm(Cond::kNe, status, 0, done);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  e.bind(bad);
  ret_imm(e, -1);
  e.bind(done);
  const Reg difference = e.load(8, python, kRubyDifference);
  e.jump_if_imm(Cond::kSlt, status, 0, bad);
  e.jump_if_imm(Cond::kSgt, difference, 1, bad);
  e.jump_if_imm(Cond::kSlt, difference, -1, bad);
  e.alu_imm(Alu::kAdd, difference, 1);
  e.ret(difference);
  e.bind(usual);
  ret_imm(e, 1);
}

void emit_ruby_step(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const Reg python = begin_routine(e, name, "dt_ruby_step", {kPythonMemory})[0];
  const Label other = e.label(), tags = e.label(), go_on = e.label(), bad = e.label();
  const Label end = e.label(), past = e.label(), loop = e.label();
  const auto add = [&](std::int32_t value) {
    e.store(8, python, kRubyDifference, behind(e, e.load(8, python, kRubyDifference), value));
  };
  const Reg left = e.imm(kCountedInStep);
  e.bind(loop);
  const Reg frame = e.load(8, python, kRubyAhead);
  e.jump_if(Cond::kGe, frame, e.load(8, python, kRubyEnd), past);
  read_buffer(e, python, frame, cruby::kFrameBytes, bad);
  e.store(8, python, kRubyAhead, behind(e, frame, cruby::kFrameBytes));
  look_for_mark(e, python, tags, bad);
  add(1);
  e.jump(tags);
  e.bind(past);
  e.jump_if_imm(Cond::kEq, e.load(8, python, kRubyTagAhead), 0, end);
  e.bind(tags);
  const Reg tag = e.load(8, python, kRubyTagAhead);
  e.jump_if_imm(Cond::kEq, tag, 0, go_on);
  read_buffer(e, python, tag, cruby::kTagBytes, bad);
  e.store(8, python, kRubyTagAhead, in_buffer(e, python, cruby::kTagPrevious));
  look_for_label(e, python, other);
  add(-1);
  e.bind(other);
  e.bind(go_on);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  ret_imm(e, 0);
  e.bind(end);
  ret_imm(e, 1);
  e.bind(bad);
  ret_imm(e, -1);
}

}  // namespace dt::bpf
