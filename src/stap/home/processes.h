#pragma once
// The processes and threads that there are when a run begins, as firings of process.begin and
// process.thread.begin.

#include <cstdint>
#include <span>
#include <vector>

#include "stap/home/firing.h"
#include "stap/meaning/program.h"

namespace dt::stap {

// A firing for each process or thread that the points of the handler mean, by ascending numbers.
std::vector<Firing> living(const Handler& handler);

// A firing for the thread that reads or writes a file of the script.
Firing caller_of(const Handler& handler, std::int64_t tid, std::int64_t uid, std::int64_t gid);

// The memory of a process as it is now. False where it cannot be read as a whole.
bool read_process(std::int64_t pid, std::uint64_t address, std::span<std::uint8_t> into);

}  // namespace dt::stap
