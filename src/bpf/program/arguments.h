#pragma once
// What processes were started with, for a probe that fires in another process: Program::arguments
// is written when a process is made, executes a program, and has ended. What there was before is
// written once the programs are attached (runtime/arguments.h).

#include <string>
#include <vector>

#include "bpf/asm/object.h"
#include "bpf/layout/memory.h"
#include "support/result.h"

namespace dt::ir {
struct Program;
}

namespace dt::bpf {

// Bytes of the arguments as /proc/PID/cmdline has them, as a value of Program::arguments: blanks
// between them, zeros to the end.
std::vector<std::uint8_t> arguments_value(std::string_view arguments, std::uint32_t bytes);

// A program for each of the typed tracepoints of arguments_points(), in their order. What finds no
// room is a drop (record::Drop::kDynamic).
Result<std::vector<Object>> generate_arguments(const Memory& memory, const ir::Program& program);
const std::vector<std::string>& arguments_points();

}  // namespace dt::bpf
