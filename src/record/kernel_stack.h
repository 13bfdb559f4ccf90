#pragma once
// A kUstack that holds a stack of the kernel, as a key that is a stack of either: it has this in
// the place of the process.

#include <cstdint>

namespace dt::record {

constexpr std::uint64_t kKernelStack = ~std::uint64_t{0};

}  // namespace dt::record
