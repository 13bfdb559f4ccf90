#pragma once
// By which path the file of an object can be opened now.
//
// map_files of /proc/PID leads to just the mapped file, by the addresses of one mapping. A program
// that moves, divides or removes this mapping after it was read leaves a path to nothing, although
// the file may still be where the process sees it: under /proc/PID/root, if it has not been
// replaced.

#include <string>

#include "symbol/process/objects.h"

namespace dt::symbol {

std::string path_of(const ProcessObject& object);

}  // namespace dt::symbol
