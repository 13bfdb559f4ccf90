#pragma once
// Random well-formed programs, for differential tests: passes, fusing and code
// generation must not change what they do.

#include <cstdint>

#include "ir/ir.h"

namespace dt::ir {

struct RandomOptions {
  std::uint32_t clauses = 3;
  std::uint32_t steps = 12;  // statements per clause, about
  bool faults = true;        // divisions and reads of memory that can fault
  bool strings = true;
  // Addresses that reads use: [base, base + size) is readable, what follows is not.
  std::uint64_t kernel_base = 0x100000, user_base = 0x200000;
  std::uint32_t memory_size = 64;
};

// The same program for the same seed and options. Its variables, aggregations
// and layouts cover every kind that the options allow.
Program random_program(std::uint64_t seed, const RandomOptions& options);

}  // namespace dt::ir
