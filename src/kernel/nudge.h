#pragma once
// The same program in another layout, for a kernel whose JIT does not come to an
// end with this one: x86's (seen with 6.18) makes a jump long that another one's
// length lets be short again, and gives up.
//
// Another layout is the program with an instruction in its midst that does
// nothing: `if r10 == 0 goto +0`, which verifiers accept anywhere and do not
// remove.

#include <linux/bpf.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernel/bpf_call.h"
#include "kernel/function.h"

namespace dt::kernel {

struct Nudged {
  std::vector<bpf_insn> insns;
  std::vector<Function> functions;
};

// With the instruction put before the first one at or behind `at`, which is not
// in the middle of one. Nothing when a jump cannot be made longer.
std::optional<Nudged> nudged(std::span<const bpf_insn> insns, std::span<const Function> functions,
                             std::uint32_t at);

// What 7.x has in the log, with EINVAL, when its JIT fails; others return -ENOTSUPP.
constexpr const char* kJitFailed = "program requires BPF JIT compiler";
// Whether the kernel loaded the program without compiling it though it means to
// compile. A kernel that can interpret does that when its JIT fails, and then
// (6.12) stumbles over instructions that the verifier had made for the JIT: such
// a program must never run.
bool is_left_to_interpreter(int program);

// Tries layouts of a program, from the given one on, until `load(insns,
// functions)` returns anything but -ENOTSUPP; what the last one returned.
constexpr int kLayouts = 24;
template <typename Load>
int load_in_some_layout(std::span<const bpf_insn> insns, std::span<const Function> functions,
                        const Load& load) {
  int result = load(insns, functions);
  // Places far from each other: what made the JIT fail is in one of them.
  for (std::uint64_t i = 1; i <= kLayouts && result == -kNotSupported; ++i) {
    const std::uint64_t at = insns.size() * (i * 7 % kLayouts) / kLayouts;
    const std::optional<Nudged> other = nudged(insns, functions, static_cast<std::uint32_t>(at));
    if (other.has_value()) {
      result = load(std::span<const bpf_insn>(other->insns),
                    std::span<const Function>(other->functions));
    }
  }
  return result;
}

}  // namespace dt::kernel
