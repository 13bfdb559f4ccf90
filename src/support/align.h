#pragma once
// Sizes and offsets that are rounded up.

#include <type_traits>

namespace dt::support {

// The least multiple of `to` that is not below `value`.
template <typename Unsigned>
constexpr Unsigned align_up(Unsigned value, std::type_identity_t<Unsigned> to) {
  return (value + to - 1) / to * to;
}

}  // namespace dt::support
