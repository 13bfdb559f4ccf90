#pragma once
// System calls in the code of stable probes: those that are made of sys_enter
// and sys_exit, whose first argument is a struct pt_regs.

#include <cstdint>
#include <span>

#include "provider/mechanism/stable.h"

namespace dt::provider {

// A call's numbers in the three tables of x86: 64-bit, x32 and 32-bit; -1: it has none.
struct CallNumbers {
  std::int32_t native, x32, ia32;
};
constexpr std::int32_t x32(std::int32_t number) { return 0x40000000 | number; }

// The number in its table; `ia32` is jumped to from a 32-bit call.
bpf::Reg call_number(StableCode& code, bpf::Label ia32);
// Goes on in one of these calls and leaves in all others.
void leave_unless_call(StableCode& code, std::span<const CallNumbers> calls, bpf::Label leave);

}  // namespace dt::provider
