#pragma once
// A firing, as its record was decoded.

#include <cstdint>
#include <string>
#include <vector>

#include "stap/home/variables.h"
#include "stap/meaning/access.h"

namespace dt::stap {

// What a firing has recorded, for the handler that it runs.
struct Firing {
  std::vector<Value> leaves;     // of Handler::leaves
  std::vector<bool> unreadable;  // by leaf: its memory could not be read
  std::vector<Value> contexts;   // by Fn
  std::vector<std::string>
      faults;  // of `provided`, why a value of the entry could not be read; or none
  std::vector<Value> provided;  // of Handler::provided
  std::string point;            // pp()
  // For a sample: the address at which the CPU was, in the kernel or in a program; the other is 0.
  std::uint64_t kernel_place = 0, user_place = 0;
  // For a handler that began in the kernel: how many additions were made there. It goes on behind
  // them.
  std::int64_t additions = 0;
  bool goes_home = false;         // the first firing that could not go on in the kernel
  std::vector<Reading> readings;  // memory as it was at the firing
  // No probe has fired: a process existed when the run began, or uses a file of the script. Then
  // the memory of the kernel and of the process is read when the handler runs.
  bool is_now = false;
};

}  // namespace dt::stap
