#pragma once
// What the interpreter computes with.

#include <cstdint>
#include <vector>

namespace dt::ir {

using Bytes = std::vector<std::uint8_t>;

// The value of a virtual register or a variable.
struct Value {
  std::int64_t integer = 0;
  Bytes bytes;  // strings and bytes: as many as the type's size
  bool operator==(const Value&) const = default;
};

}  // namespace dt::ir
