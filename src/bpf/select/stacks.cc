// See stacks.h.
//
// Stacks of the kernel are walked by the kernel's helper (bpf_get_stack), from frame pointers or
// its ORC tables. It begins within the machinery of the probe, so a number of frames is skipped,
// which the kind of probe determines.
//
// Stacks of programs are unwound by our own routines (bpf/stack/), as most programs have no frame
// pointers. Where these cannot work, because the thread at the probe is another one than the
// current, or runs 32-bit code, the helper's walk by frame pointers is all there is.

#include "bpf/select/stacks.h"

#include <linux/bpf.h>

#include "bpf/routine/routine.h"
#include "bpf/select/context.h"
#include "bpf/select/facts.h"
#include "bpf/select/failures.h"
#include "bpf/select/maps.h"
#include "bpf/select/storage.h"
#include "bpf/select/values.h"
#include "bpf/stack/python.h"
#include "bpf/stack/unwind.h"
#include "record/drop.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

// Stacks with one hash, of which a firing finds its own: 64 bits are enough to
// have one of them.
constexpr int kNumberTries = 2;

}  // namespace

Stacks::Stacks(const Core& core, Maps& maps) : SelectionPart(core), maps_(maps) {}

// Functions below main have frames, too, in stacks that begin with the tracer's.
Reg Stacks::stack_flags(bool user) {
  if (user) return e_.imm(BPF_F_USER_STACK);
  if (unit_.stack_frames) {
    if (const Reg known = unit_.stack_frames(f_.spec.context, f_.spec.calls); known.valid()) {
      return known;
    }
  }
  const bool has_ours = unit_.stack_skip != 0 && !unit_.stack_is_of_context;
  return e_.imm(unit_.stack_skip + (has_ours ? f_.spec.calls : 0));
}

void Stacks::stack(const ir::Inst& inst) {
  const bool user = inst.op != ir::Op::kStack;
  const std::uint32_t size = inst.type.size;
  const Place buffer = frames_buffer(size, f_.last_use(inst.result), user);
  if (user) {
    e_.store(8, buffer.base, buffer.offset, facts_.tgid());
  }
  // The helper clears what it does not fill, and everything when it fails.
  const std::uint32_t skip = user ? 8 : 0;
  if (size > skip) {
    const Place frames = storage_.at(buffer.base, static_cast<std::uint32_t>(buffer.offset) + skip);
    frames_to(frames, size - skip, user, inst.op == ir::Op::kJstack);
  }
  values_.define_memory(inst, buffer, size / 8 * 8);
}

// Routines take nothing that is on the stack and was not written yet.
Place Stacks::frames_buffer(std::uint32_t bytes, std::uint32_t last_use, bool user) {
  return user && unwinds(unit_) ? storage_.frame_place(words_up(bytes), last_use)
                                : storage_.temporary(bytes, last_use);
}

// How many frames there are, which are put at `frames`; zeros behind them.
Reg Stacks::frames_to(Place frames, std::uint32_t bytes, bool user, bool with_sources) {
  const Label done = e_.label();
  const Reg count = e_.reg();
  const bool unwound = user && unwinds(unit_);
  if (unwound) {
    const Place state = storage_.frame_place(kUnwindStateBytes, f_.position);
    const Reg cache = f_.address(storage_.at(storage_.frame(), kUnwindCacheAt));
    if (with_sources && unit_.memory.machine.unwind.with_sources) {
      unwind_sources(frames, bytes, state, cache, count);
    } else {
      e_.mov(count, e_.call_subprogram(unit_.routine(Routine::Kind::kUnwind, bytes),
                                       {f_.address(frames), f_.address(state), cache}));
    }
    e_.jump_if_imm(Cond::kSge, count, 0, done);
  }
  if (unit_.thread_at >= 0) {
    e_.mov(count, e_.call(BPF_FUNC_get_task_stack,
                          {facts_.task(), f_.address(frames), e_.imm(bytes), e_.imm(0)}));
  } else {
    const Reg flags = stack_flags(user);
    e_.mov(count, e_.call(BPF_FUNC_get_stack,
                          {f_.spec.context, f_.address(frames), e_.imm(bytes), flags}));
  }
  const Label some = e_.label();
  e_.jump_if_imm(Cond::kSge, count, 0, some);
  // If the thread's stack cannot be read, bpf_get_task_stack() leaves the buffer as it was, with
  // frames of an earlier firing. A read from address 0 fails, and a failed bpf_probe_read_kernel()
  // fills the buffer with zeros.
  if (unit_.thread_at >= 0) {
    e_.call_void(BPF_FUNC_probe_read_kernel, {f_.address(frames), e_.imm(bytes), e_.imm(0)});
  }
  e_.mov_imm(count, 0);
  e_.bind(some);
  e_.alu_imm(Alu::kRsh, count, 3);
  e_.bind(done);
  return count;
}

// Names that found no room are counted.
void Stacks::unwind_sources(Place frames, std::uint32_t bytes, Place state, Reg cache, Reg status) {
  const Place python = storage_.at(storage_.frame(), kPythonOffset);
  const Label lost = e_.label(), back = e_.label();
  e_.mov(status,
         e_.call_subprogram(unit_.routine(Routine::Kind::kUnwindSources, bytes),
                            {f_.address(frames), f_.address(state), cache, f_.address(python)}));
  e_.jump_if_imm(Cond::kNe, e_.load(8, python.base, python.offset + kPythonLost), 0, lost);
  e_.bind(back);
  f_.cold.push_back([=, this] {
    e_.bind(lost);
    failures_.drop(record::Drop::kStackStrings);
    e_.jump(back);
  });
}

Reg Stacks::one_frame(bool user, std::uint32_t which) {
  const std::uint32_t bytes = (which + 1) * 8;
  const Place buffer = frames_buffer(bytes, f_.position, user);
  frames_to(buffer, bytes, user);
  return e_.load(8, buffer.base, buffer.offset + static_cast<std::int32_t>(which * 8));
}

Reg Stacks::depth(bool user) {
  constexpr std::uint32_t kKernelFrames = 127;  // sysctl kernel.perf_event_max_stack
  constexpr std::uint32_t kUserFrames = 1024;   // where we unwind
  const std::uint32_t bytes = (user && unwinds(unit_) ? kUserFrames : kKernelFrames) * 8;
  return frames_to(storage_.frame_place(bytes, f_.position), bytes, user);
}

Reg Stacks::stack_number(Place frames, std::uint32_t bytes, Reg generation, bool drained) {
  constexpr std::int32_t kNotZero = 2, kNext = 4;  // the lowest bit is the generation's
  const std::uint32_t index = unit_.memory.stack_table(bytes, drained);
  DT_CHECK(index != ir::kNone, "stacks of {} bytes", bytes);
  const MapRef table = {MapKind::kStacks, index};
  const Label full = e_.label(), done = e_.label();
  const Reg number = e_.reg();
  e_.mov(number, e_.call_subprogram(unit_.routine(Routine::Kind::kFramesHash, bytes),
                                    {f_.address(frames)}));
  e_.alu_imm(Alu::kAnd, number, -kNext);
  e_.alu_imm(Alu::kOr, number, kNotZero);
  e_.alu(Alu::kOr, number, generation);
  for (int i = 0; i < kNumberTries; ++i) {
    const Label absent = e_.label(), have = e_.label();
    const Place key = storage_.stack_word();
    e_.store(8, key.base, key.offset, number);
    const Reg element = maps_.lookup(table, key);
    e_.jump_if_imm(Cond::kEq, element, 0, absent);
    e_.bind(have);
    const Label same = unit_.routine(Routine::Kind::kSameFrames, bytes);
    e_.jump_if_imm(Cond::kNe, e_.call_subprogram(same, {f_.address(frames), element}), 0, done);
    e_.alu_imm(Alu::kAdd, number, kNext);
    f_.cold.push_back([=, this] {
      e_.bind(absent);
      // Another CPU may enter it first, or another stack with its number.
      const Label other = e_.label();
      const Reg status =
          e_.call(BPF_FUNC_map_update_elem,
                  {e_.map(table), f_.address(key), f_.address(frames), e_.imm(BPF_NOEXIST)});
      e_.jump_if_imm(Cond::kNe, status, 0, other);
      failures_.added(static_cast<std::uint32_t>(unit_.memory.aggs.size()) + index);
      e_.bind(other);
      e_.mov(element, maps_.lookup(table, key));
      e_.jump_if_imm(Cond::kNe, element, 0, have);
      e_.jump(full);
    });
  }
  e_.bind(full);
  e_.mov_imm(number, 0);
  e_.bind(done);
  return number;
}

void Stacks::user_address(const ir::Inst& inst) {
  const Reg where = values_.reg(inst.args[0]);
  const Place buffer = storage_.temporary(16, f_.last_use(inst.result));
  e_.store(8, buffer.base, buffer.offset, facts_.tgid());
  e_.store(8, buffer.base, buffer.offset + 8, where);
  values_.define_memory(inst, buffer, 16);
}

}  // namespace dt::bpf
