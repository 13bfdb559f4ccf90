#pragma once
// Numbers of this machine that printf() shows: "%{load1}.2f" (record/printf_format.h).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/printf_format.h"

namespace dt::ir {
struct Program;
}

namespace dt::api {

// How wide the terminal is that the descriptor leads to; 0 where it is none, or says nothing.
std::size_t terminal_columns(int fd);

// The number as it is now, of the machine that dtrace runs on; 0 where it cannot be known. `output`
// is the descriptor whose terminal is meant.
std::int64_t machine_number(record::Supply which, int output);

// The numbers that a program reads as variables (ir::kMachineNumber).
struct MachineVariable {
  std::uint32_t variable = 0;
  record::Supply number = record::Supply::kNone;
};
std::vector<MachineVariable> machine_variables(const ir::Program& program);

}  // namespace dt::api
