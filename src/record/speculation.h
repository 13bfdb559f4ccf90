#pragma once
// The ids of speculations, as the generated code gives them out and the
// consumer reads them.
//
// There are `count` slots (-x nspec). Slot s, from 0, gives the ids
//
//     s + 1, s + 1 + count, s + 1 + 2 * count, ...  up to 2^31-1, and again
//
// in this order, whichever CPU takes it: a record that was on its way when its
// speculation ended does not count as one of the slot's next.

#include <cstdint>

namespace dt::record {

constexpr std::uint32_t generations(std::uint32_t count) { return 0x7fffffffu / count; }

// No id is above it.
constexpr std::int32_t last_speculation(std::uint32_t count) {
  return static_cast<std::int32_t>(generations(count) * count);
}

// The id that a slot gives after `last`, or first, when that is 0.
constexpr std::int32_t next_speculation(std::uint32_t slot, std::int32_t last,
                                        std::uint32_t count) {
  const std::int64_t next = std::int64_t{last} + count;
  return last == 0 || next > last_speculation(count) ? static_cast<std::int32_t>(slot) + 1
                                                     : static_cast<std::int32_t>(next);
}

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
