#pragma once
// The routines that a program's functions call, of every subject.

namespace dt::bpf {

struct Unit;

// Writes the routines that unit.routines lists, and those that they call.
void emit_routines(Unit& unit);

}  // namespace dt::bpf
