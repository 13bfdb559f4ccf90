#pragma once
// Clauses whose descriptions have different args[].
//
// `syscall::read:entry, syscall::openat:entry { trace(args[0]); }` is checked as if it stood there
// once for each kind of arguments, as args[0] has another type in each.

namespace dt::d {

class Expander;
struct Unit;
struct World;

// To be called before anything of the unit is checked: places in its lists change.
void split_clauses(Unit& unit, const World& world, Expander& expander);

}  // namespace dt::d
