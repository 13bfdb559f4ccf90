#pragma once
// Scratch frames: memory of one firing. There are kScratchLevels for each CPU;
// nested firings (an interrupt's, or one that preempted this) find the levels
// below taken and use the next. A frame's first word is its busy flag.

#include "bpf/asm/emitter.h"
#include "bpf/layout/memory.h"

namespace dt::bpf {

// The functions of the kernel between which threads are not preempted: BTF numbers, 0 = none. A
// program calls `begin` before anything else and `end` behind it.
//
// Where the kernel would let a thread be preempted in a program, the firings of other threads on
// that CPU would be suppressed until the first one goes on. A program that may wait calls `end`
// before it waits, and `begin` after that (user_memory.h). `end` would preempt a thread whose time
// slice is over at once, still within the program. So interrupts are held back (irq_save) during
// that call, which then leaves the preemption to the kernel's own end of the firing. The two
// functions take the address of the interrupts' state, 8 bytes; 0: the kernel does not preempt
// there.
struct Guard {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t irq_save = 0, irq_restore = 0;
};
void begin_section(Emitter& e, const Guard& guard);
void end_section(Emitter& e, const Guard& guard);
// Keeps the program on the stack of its thread. Since 6.13 the kernel gives programs of kprobes one
// stack for each CPU, which is right only if no other thread runs such a program on that CPU
// meanwhile. For programs of uprobes that is not so: a thread that is preempted or waits in such a
// program would find another thread's values on its stack. The kernel does not do this for a
// program with a tail call. The verifier knows that `value` is `known`, so it does not look at the
// call, and removes it.
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
