#pragma once
// Numbers of this machine that printf() shows: "%{load1}.2f" (record/printf_format.h).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "record/printf_format.h"

namespace dt::ir {
struct Program;
}

namespace dt::api {

// How wide the terminal is that the descriptor leads to; 0 where it is none, or says nothing.
std::size_t terminal_columns(int fd);

// Numbers of the machine that dtrace runs on. A file of the kernel is read once, when it is first
// asked for.
class MachineNumbers {
 public:
  // `output` is the descriptor whose terminal is meant.
  explicit MachineNumbers(int output) : output_(output) {}
  // 0 where it cannot be known.
  std::int64_t get(record::Supply which);

 private:
  struct LoadAverages {
    std::int64_t minutes[3] = {};  // hundredths: of 1, 5 and 15 minutes
    std::int64_t running = 0;
    std::int64_t threads = 0;
  };
  static LoadAverages read_loads();
  const LoadAverages& loads();

  int output_;
  std::optional<LoadAverages> loads_;
};

// The numbers that a program reads as variables (ir::kMachineNumber).
struct MachineVariable {
  std::uint32_t variable = 0;
  record::Supply number = record::Supply::kNone;
};
std::vector<MachineVariable> machine_variables(const ir::Program& program);

}  // namespace dt::api
