#pragma once
// Toy: a second language, with which tests come in by the door that D uses. It includes
// nothing of D, and scripts/check-layers keeps that so.
//
//     # which programs write, for a second
//     on syscall.write.entry count execname
//     on profile.tick-1s stop
//
// A line is `on POINT count KEY`, `on POINT print KEY` or `on POINT stop`; a # begins a comment.
// A point is NAME, PROVIDER.NAME or PROVIDER.FUNCTION.NAME, and a key is pid, tid, uid, cpu,
// execname, ppid or arg0. Each key has an aggregation of its name.

#include <memory>

#include "front/front_end.h"

namespace dt::toy {

std::unique_ptr<front::FrontEnd> make_front_end();

}  // namespace dt::toy
