#pragma once
// Strong integer identities: a ProbeId is not an index, and an address of user memory is not one of
// the kernel's.

#include <compare>
#include <cstdint>
#include <functional>

namespace dt::support {

// Comparable and hashable, but without arithmetic and without conversion from or to a number:
// `ProbeId(3)` and `id.value` say what happens.
template <typename Tag, typename Rep = std::uint32_t>
struct StrongId {
  Rep value = 0;
  constexpr StrongId() = default;
  constexpr explicit StrongId(Rep v) : value(v) {}
  constexpr auto operator<=>(const StrongId&) const = default;
};

}  // namespace dt::support

namespace dt {

using ProbeId = support::StrongId<struct ProbeIdTag>;  // as `dtrace -l` numbers probes, from 1
using KernelAddr = support::StrongId<struct KernelAddrTag, std::uint64_t>;
using UserAddr = support::StrongId<struct UserAddrTag, std::uint64_t>;

}  // namespace dt

template <typename Tag, typename Rep>
struct std::hash<dt::support::StrongId<Tag, Rep>> {
  std::size_t operator()(const dt::support::StrongId<Tag, Rep>& id) const noexcept {
    return std::hash<Rep>()(id.value);
  }
};
