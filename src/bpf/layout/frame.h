#pragma once
// Scratch frames: memory of one firing. There are kScratchLevels for each CPU;
// nested firings (an interrupt's, or one that preempted this) find the levels
// below taken and use the next. A frame's first word is its busy flag.

#include "bpf/asm/emitter.h"
#include "bpf/layout/memory.h"

namespace dt::bpf {

// Functions of the kernel that a program calls before anything else and behind it:
// BTF numbers, 0 = none.
//
// Where the kernel lets threads be preempted in a program, another's firing on that
// CPU would be suppressed until the first one goes on: so they may not be, there. A
// program that may wait has a section in which it does not (user_memory.h).
// A thread whose turn is over would be preempted as `end` allows it, still within the
// program. So interrupts wait for that call, which then leaves it to the kernel's own end
// of the firing: (address of the interrupts' state, 8 bytes); 0 = not where that matters.
struct Guard {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t irq_save = 0, irq_restore = 0;
};
void begin_section(Emitter& e, const Guard& guard);
void end_section(Emitter& e, const Guard& guard);
// Since 6.13 the kernel gives programs of kprobes one stack for each CPU, as if it let no
// thread run one while another is within it. Those of uprobes it does: a thread that is
// preempted or waits in such a program would find another's values on its stack. Programs
// with a tail call keep the thread's stack. The verifier knows that `value` is `known`, so it
// does not look at the call, and removes it.
void keep_stack_of_thread(Emitter& e, Reg context, Reg value, std::int32_t known);
// The last instruction of a program, which leaves it.
void end_firing(Emitter& e, const Guard& guard);

// Takes a frame of the CPU `cpu`: its address goes to `frame`, its number in the
// map to `index`. Jumps to `none` when all are taken. `key` is room for 8 bytes.
void take_frame(Emitter& e, Reg cpu, StackSlot key, Reg frame, Reg index, Label none);

// The address of frame `index`, which this firing has taken already; jumps to
// `none` where the verifier sees none.
Reg find_frame(Emitter& e, Reg index, StackSlot key, Label none);

void release_frame(Emitter& e, Reg frame);

// The region of a frame: what alloca() and copyin() give out. It has a map of its own, in
// which nothing else is written: so what no firing was given is zero, and a firing has only
// to clear what the one before it was given. A script that reads behind its memory, as
// stringof(copyin(address, length)) does, sees zeros, never the bytes of another firing.
//
//   0   u64 bytes that are given out
//   8   u64 the address of the region, as a number
//   16  the region

// The region of frame `index`; jumps to `none` where the verifier sees none. `key` is room
// for 8 bytes.
Reg find_region(Emitter& e, Reg index, StackSlot key, Label none);
// Nothing of it is given out, and all of it is zero. `zeros` is the address of `size` zeros.
void start_region(Emitter& e, Reg region, std::uint32_t size, Reg zeros);

}  // namespace dt::bpf
