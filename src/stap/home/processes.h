#pragma once
// The processes and threads that there are when a run begins, as firings of process.begin and
// process.thread.begin.

#include <vector>

#include "stap/home/machine.h"
#include "stap/meaning/program.h"

namespace dt::stap {

// One for each process or thread that the handler's points mean, in the order of their numbers.
std::vector<Firing> living(const Handler& handler);

// Of a thread, by its number, that reads or writes a file of the script's.
Firing caller_of(const Handler& handler, std::int64_t tid, std::int64_t uid, std::int64_t gid);

}  // namespace dt::stap
