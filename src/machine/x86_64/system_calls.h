#pragma once
// Where code of x86-64 makes system calls, and what is known just before it does:
// no breakpoint may stand on the instruction that makes one, only on the one before it.

#include <cstdint>
#include <span>
#include <vector>

#include "support/result.h"

namespace dt::machine {

struct SystemCall {
  std::uint32_t before = 0;  // where the breakpoint may stand, from the start of the code
  // There, rdi has the call's first argument, and the low byte of its second will be
  // (that of rsi & keeps) ^ flips. False where the code does not show that.
  bool is_known = false;
  std::uint8_t keeps = 0xff, flips = 0;
  bool operator==(const SystemCall&) const = default;
};

// In the order of the code. An error when some bytes are no instruction.
Result<std::vector<SystemCall>> system_calls(std::span<const std::uint8_t> code);

}  // namespace dt::machine
