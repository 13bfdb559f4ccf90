// Routines that walk user stacks from the registers of the probe on, frame by frame
// (unwind_frame.cc), and what they need on the way: see unwind.h.
//
// Each step is a function that the verifier checks once (global), with the state passed as memory.

#include <cstddef>

#include "bpf/stack/python.h"
#include "bpf/stack/source_name.h"
#include "bpf/stack/unwind_state.h"
#include "machine/x86_64/registers.h"

namespace dt::bpf {

namespace {

constexpr std::int32_t kUserCode32 = 0x23;  // __USER32_CS
constexpr std::int32_t kTrampolineBytes = 4096;
constexpr std::int32_t kMaxReturns = 64;  // of one thread; the kernel's limit, too

}  // namespace

bool unwinds(const Unit& unit) {
  return unit.memory.machine.unwind.are_known() && unit.thread_at < 0;
}

// A return probe of the kernel replaces the return address on the stack by a trampoline, and keeps
// the true one in a list of the thread, newest first. The slot of the stack says which entry is of
// this frame: entries of frames that longjmp() has left may be in front of it.
void emit_unwind_return(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const UnwindOffsets& at = unit.memory.machine.unwind;
  const Reg state = begin_routine(e, name, "dt_unwind_return", {kStateParameter})[0];
  const Label loop = e.label(), none = e.label(), found = e.label();
  const Reg left = e.imm(kMaxReturns), slot = e.load(8, state, kReturnSlot);
  e.bind(loop);
  const Reg instance = e.load(8, state, kReturns);
  e.jump_if_imm(Cond::kEq, instance, 0, none);
  const Reg stack = Sight(unit, state, instance, at.return_stack).word(at.return_stack);
  e.jump_if(Cond::kEq, stack, slot, found);
  e.store(8, state, kReturns, Sight(unit, state, instance, at.return_next).word(at.return_next));
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  e.bind(none);
  e.store_imm(8, state, kPc, 0);
  ret_imm(e, 0);
  e.bind(found);
  e.store(8, state, kPc, Sight(unit, state, instance, at.return_address).word(at.return_address));
  ret_imm(e, 1);
}

namespace {

// The state becomes that of the thread at the probe: jumps to `other` when that runs 32-bit
// code, and otherwise goes on with kPc 0 for a thread of the kernel.
void begin_unwind(Unit& unit, Reg state, Reg cache, Label other) {
  Emitter& e = unit.e;
  const UnwindOffsets& at = unit.memory.machine.unwind;
  unit.additions.uses_unwind = true;
  const Label go = e.label();
  const Reg task = e.call(BPF_FUNC_get_current_task_btf, {});
  const Reg registers = e.call(BPF_FUNC_task_pt_regs, {task});
  const Reg segment = e.load(2, registers, machine::kSavedCs);
  const Reg pc = e.load(8, registers, machine::kSavedIp),
            sp = e.load(8, registers, machine::kSavedSp);
  const Reg bp = e.load(8, registers, machine::kSavedBp);
  // As a number: the verifier takes long to say what a typed task's members are.
  const Reg thread = e.call(BPF_FUNC_get_current_task, {});
  const Reg mm = Sight(unit, state, thread, at.task_mm).word(at.task_mm);
  e.store_imm(8, state, kPc, 0);
  e.store_imm(8, state, kCount, 0);
  e.jump_if_imm(Cond::kEq, mm, 0, go);  // a thread of the kernel
  e.jump_if_imm(Cond::kEq, segment, kUserCode32, other);
  e.store(8, state, kPc, pc);
  e.store(8, state, kSp, sp);
  e.store(8, state, kBp, bp);
  e.store(8, state, kMm, mm);
  e.store_imm(8, state, kExact, 1);
  e.store_imm(8, state, kInnermost, 1);
  e.store_imm(8, state, kBegin, 0);
  e.store_imm(8, state, kSize, 0);
  e.store_imm(8, state, kTrampoline, 0);
  e.store_imm(8, state, kReturns, 0);
  e.store_imm(8, state, kRbx, kRbxInRegister);
  forget_pointer(e, registers);
  e.store(8, state, kRegisters, registers);
  e.call_subprogram(unit.routine(Routine::Kind::kUnwindBegin), {state, cache});
  if (at.return_stack >= 0) {
    const Reg utask = Sight(unit, state, thread, at.task_utask).word(at.task_utask);
    e.jump_if_imm(Cond::kEq, utask, 0, go);
    e.store(8, state, kReturns, Sight(unit, state, utask, at.utask_returns).word(at.utask_returns));
    const Reg area = Sight(unit, state, mm, at.mm_trampoline).word(at.mm_trampoline);
    e.jump_if_imm(Cond::kEq, area, 0, go);
    const Reg trampoline =
        Sight(unit, state, area, at.trampoline_address).word(at.trampoline_address);
    e.store(8, state, kTrampoline, trampoline);
    // An instruction that a breakpoint replaces is carried out behind it, in that page.
    if (at.utask_place >= 0) {
      const Reg behind = e.load(8, state, kPc);
      e.alu(Alu::kSub, behind, trampoline);
      e.jump_if_imm(Cond::kGe, behind, kTrampolineBytes, go);
      e.store(8, state, kPc, Sight(unit, state, utask, at.utask_place).word(at.utask_place));
    }
  }
  e.bind(go);
}

}  // namespace

void emit_unwind(Unit& unit, Label name, std::uint32_t bytes) {
  Emitter& e = unit.e;
  const std::vector<Reg> r = begin_routine(
      e, name, "dt_unwind", {{kernel::Parameter::Kind::kMemory, bytes}, kStateParameter, kCache});
  const Reg frames = r[0], state = r[1], cache = r[2];
  const Label loop = e.label(), done = e.label(), other = e.label();
  begin_unwind(unit, state, cache, other);
  const Reg offset = e.imm(0);
  e.bind(loop);
  const Reg frame = e.load(8, state, kPc);
  e.store(8, sum(e, frames, offset), 0, frame);
  e.alu_imm(Alu::kAdd, offset, 8);
  const Label next = e.label();
  e.jump_if_imm(Cond::kEq, frame, 0, next);
  const Reg count = e.load(8, state, kCount);
  e.alu_imm(Alu::kAdd, count, 1);
  e.store(8, state, kCount, count);
  e.jump_if_imm(Cond::kGe, offset, static_cast<std::int32_t>(bytes), done);
  e.call_subprogram(unit.routine(Routine::Kind::kUnwindFrame), {state, cache});
  e.bind(next);
  e.jump_if_imm(Cond::kLt, offset, static_cast<std::int32_t>(bytes), loop);
  e.bind(done);
  e.ret(e.load(8, state, kCount));
  e.bind(other);
  ret_imm(e, -1);
}

// Every turn is for a frame of the processor's; those of Python or Ruby may be more. In the place
// of two of Ruby's there may be one, but they have one of C before them; and two may have none.
void emit_unwind_sources(Unit& unit, Label name, std::uint32_t bytes) {
  Emitter& e = unit.e;
  unit.additions.uses_sources = true;
  const kernel::Parameter room = {kernel::Parameter::Kind::kMemory, bytes};
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_unwind_sources", {room, kStateParameter, kCache, kPythonMemory});
  const Reg frames = r[0], state = r[1], cache = r[2], python = r[3];
  const Label loop = e.label(), done = e.label(), other = e.label(), next = e.label();
  const Label ruby = e.label();
  for (std::uint32_t at = 0; at < bytes; at += 8) {
    e.store_imm(8, frames, static_cast<std::int32_t>(at), 0);
  }
  begin_python(e, python);
  begin_unwind(unit, state, cache, other);
  const Reg left = e.imm(bytes / 8 + bytes / 16 + 2);
  e.bind(loop);
  const Reg frame = e.load(8, state, kPc), at = e.held_copy(e.load(8, python, kPythonAt));
  e.jump_if_imm(Cond::kEq, frame, 0, done);
  e.jump_if_imm(Cond::kGt, at, static_cast<std::int32_t>(bytes) - 8, done);
  e.alu(Alu::kAdd, at, frames);
  e.store(8, at, 0, frame);
  const Reg behind = e.load(8, python, kPythonAt);
  e.alu_imm(Alu::kAdd, behind, 8);
  e.store(8, python, kPythonAt, behind);
  e.store(8, python, kPythonSp, e.load(8, state, kSp));
  e.store_imm(8, state, kOwner, 0);
  e.call_subprogram(unit.routine(Routine::Kind::kUnwindFrame), {state, cache});
  e.jump_if_imm(Cond::kEq, e.load(8, state, kOwner), 0, next);
  const Reg language =
      e.load(8, interpreter_image(e, state),
             static_cast<std::int32_t>(offsetof(symbol::InterpreterImage, language)));
  e.jump_if_imm(Cond::kEq, language, static_cast<std::int32_t>(symbol::Language::kRuby), ruby);
  e.call_subprogram(unit.routine(Routine::Kind::kPythonStack, bytes), {frames, state, python});
  e.jump(next);
  e.bind(ruby);
  e.call_subprogram(unit.routine(Routine::Kind::kRubyStack, bytes), {frames, state, python});
  e.bind(next);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  e.bind(done);
  ret_imm(e, 0);
  e.bind(other);
  ret_imm(e, -1);
}

}  // namespace dt::bpf
