#pragma once
// What is kept of the running kernel's types for the next command.

#include <cstdint>
#include <optional>
#include <span>

#include "kernel/kept.h"
#include "types/btf_index.h"

namespace dt::types {

// The index of these bytes, the whole BTF of the kernel that runs: kept since it was started, or
// made, and then kept. nullopt: there is no place that only this user may write, or the bytes are
// damaged. Without such a place none is made, as this takes longer than the questions of one
// command.
std::optional<BtfIndex> kept_index(std::span<const std::uint8_t> bytes,
                                   const kernel::KeptPlaces& places);

}  // namespace dt::types
