#pragma once
// The functions that read memory: kernel_string(p), user_int(p), ...

#include <cstdint>

#include "stap/meaning/functions.h"

namespace dt::stap {

struct MemoryFunction {
  std::uint32_t size = 0;  // bytes; 0: a text; kPathSize: a path
  bool is_signed = false, is_userland = false;
  bool is_lenient = false;  // it gives 0 or "" where memory cannot be read
  bool is_counted = false;  // its second argument is the most characters
  bool is_bytes = false;    // as many bytes as its second argument says
  std::uint32_t unit = 0;   // characters of 2 or 4 bytes up to a 0
};

// What a function of Where::kMemory reads.
MemoryFunction memory_function_of(Fn fn);

}  // namespace dt::stap
