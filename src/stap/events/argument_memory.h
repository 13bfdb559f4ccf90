#pragma once
// What the addresses among the arguments of system calls lead to, as text: addresses of sockets,
// times, limits, sets of signals.
//
// A clause reads the memory in parts, each of which may be missing: what is at the end of a page is
// read as far as it is there.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dt::stap {

struct MemoryPart {
  std::uint32_t offset = 0, bytes = 0;
  auto operator<=>(const MemoryPart&) const = default;
};

// What is read of an argument; nothing: it is shown as an address, or a number. At a return, the
// kernel may have written to it: then it is not what the call was given.
std::span<const MemoryPart> memory_of(std::string_view call, std::string_view argument,
                                      bool is_return);

// Arguments of a call beside the address, and the bytes that are there.
struct PointedArgument {
  std::string_view call, argument;
  std::int64_t before = 0, before_that = 0;  // the arguments before it
  std::int64_t behind = 0;                   // the argument behind it
  std::int64_t first = 0, last = 0;          // of the call
  std::span<const std::uint8_t> bytes;
};
// nullopt: the address says more, as the bytes are too few, or nothing of that kind.
std::optional<std::string> memory_text(const PointedArgument& of);

}  // namespace dt::stap
