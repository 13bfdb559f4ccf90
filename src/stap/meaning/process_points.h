#pragma once
// Points of programs: process("path").function("name"), .mark, .begin, .syscall and others.

#include "stap/meaning/point_reader.h"

namespace dt::stap {

// A point whose first component is `process`. False after an error.
bool resolve_process_point(PointReader& point);

}  // namespace dt::stap
