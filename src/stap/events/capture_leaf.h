#pragma once
// What the clause of an event and the decoder of its records agree on (capture.h).

#include <cstdint>
#include <iterator>

#include "probe/given_arguments.h"
#include "stap/events/argument_memory.h"
#include "stap/events/probes.h"
#include "stap/meaning/program.h"

namespace dt::stap {

// The text that stands for memory that could not be read.
inline constexpr std::int64_t kUnreadable = 1;
inline constexpr std::uint32_t kLeafBytes = 8;  // of a number in a record
// What a part of memory takes in a record, in bytes: whole words, and a word that says whether the
// memory could be read.
inline std::uint32_t recorded_bytes(const MemoryPart& part) {
  return (part.bytes + kLeafBytes - 1) / kLeafBytes * kLeafBytes + kLeafBytes;
}
// Arguments of profile probes: where the CPU was, in the kernel or else in a program; or 0.
inline constexpr int kKernelPc = 0, kUserPc = 1;

// $syscall, which the probe itself says.
inline bool is_number_of_call(const Leaf& leaf, const Event& event) {
  return is_syscall(event.kind) && leaf.name == "syscall" && leaf.path.empty();
}

inline bool is_result(const Leaf& leaf) {
  return leaf.what == Leaf::What::kReturn || (leaf.argument < 0 && leaf.name == "return");
}

// Under which number our probe passes the argument of that number: at the return of a system call
// the result comes first, and what the call was given stands behind it.
inline int passed_as(const Event& event, int argument) {
  constexpr auto& kGiven = probe::kGivenArguments;
  if (event.kind != EventKind::kSyscallReturn) return argument;
  const bool is_given = argument >= 0 && argument < std::ssize(kGiven);
  return is_given ? static_cast<int>(kGiven[static_cast<std::size_t>(argument)])
                  : 9;  // which is always 0
}

// Whether the value has the width of an argument, and is no memory.
inline bool is_typed(const Leaf& leaf, const Event& event) {
  const bool is_return = leaf.what == Leaf::What::kReturn || leaf.name == "return";
  const bool is_result = is_return && event.kind == EventKind::kFunctionReturn;
  return (leaf.what == Leaf::What::kValue || is_result) && leaf.path.empty();
}

}  // namespace dt::stap
