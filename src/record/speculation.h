#pragma once
// The ids of speculations, as the generated code gives them out and the
// consumer reads them.
//
// There are `count` slots (-x nspec). The nth speculation() of a run, from 0,
// takes a free slot s, the first one from n % count on, and gives the id
//
//     n % generations(count) * count + s + 1        1 .. 2^31-1
//
// so that an id is not given again for a long time: a record that was on its way
// when its speculation ended is not taken for one of the slot's next.

#include <cstdint>

namespace dt::record {

constexpr std::uint32_t generations(std::uint32_t count) { return 0x7fffffffu / count; }

constexpr std::uint32_t speculation_slot(std::int32_t id, std::uint32_t count) {
  return (static_cast<std::uint32_t>(id) - 1) % count;
}

// Whether `id` was given out after `other`, both of one slot.
constexpr bool is_later(std::int32_t id, std::int32_t other, std::uint32_t count) {
  const std::uint32_t all = generations(count);
  const std::uint32_t a = (static_cast<std::uint32_t>(id) - 1) / count;
  const std::uint32_t b = (static_cast<std::uint32_t>(other) - 1) / count;
  const std::uint32_t ahead = (a + all - b) % all;
  return ahead != 0 && ahead < all / 2 + 1;
}

}  // namespace dt::record
