#pragma once
// ustack() at sched:::on-cpu: the stack with which the thread left its CPU.
//
// The thread does not run yet, and its memory cannot be read there. So its stack is taken when it
// leaves, in a clause that is added for it:
//
//   sched:::on-cpu /self->ts/ { @[ustack()] = ...; }
//
//   sched:::off-cpu /self->ts/ { self->"stack" = ustack(); }
//   sched:::on-cpu /self->ts/ { @[self->"stack"] = ...; }
//
// The action ustack(); stays refused.

namespace dt::d {

struct Unit;
class Arena;

// Before the clauses are checked.
void keep_stacks(Unit& unit, Arena& arena);

}  // namespace dt::d
