#pragma once
// Children that are followed (-x follow): which process of -c or -p a thread descends
// from. A thread is marked when it is made, by a program on the tracepoint
// sched_process_fork, which is before it can run; the mark goes with the thread. The
// processes of -c and -p have no mark; they are known by their numbers.

#include <cstdint>
#include <vector>

#include "bpf/asm/object.h"
#include "bpf/asm/reg.h"
#include "bpf/layout/memory.h"
#include "support/result.h"

namespace dt::bpf {

class Emitter;
struct Machine;

// Jumps to `leave` unless the current thread is of the process `root`, a register or a
// number, or descends from it. Needs Memory::follows.
void leave_unless_descends(Emitter& e, const Machine& machine, Reg root, Label leave);

// The program that marks, for the typed tracepoint sched_process_fork. A thread that it
// finds no memory for is a drop (record::Drop::kDynamic).
Result<Object> generate_follow(const Memory& memory, const std::vector<std::int32_t>& roots);

}  // namespace dt::bpf
