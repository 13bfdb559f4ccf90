#pragma once
// The consumer's side of a BPF_MAP_TYPE_RINGBUF.
//
//     page 0          page 1           pages 2 ...
//     +-------------+ +--------------+ +--------------+
//     | consumer    | | producer     | | data (size)  |
//     | position    | | position     | |              |
//     +-------------+ +--------------+ +--------------+
//
// Positions only grow; the place in the data is position & (size - 1). A record
// that reaches beyond the end goes on at the beginning: it is put together for
// the reader. (The kernel would map the data a second time behind the first, so
// that no record wraps; but each page that is mapped takes time at the start.) A
// record is u32 length, u32 (the kernel's), data, padded to 8; in the length,
// bit 31 says "still being written" and bit 30 "discard me". Whatever stands
// behind a record that is still being written waits for it: order is order.

#include <cstdint>
#include <functional>
#include <span>

#include "kernel/kernel.h"

namespace dt::kernel {

// The memory of one ring; nothing is owned.
struct RingMemory {
  std::uint64_t* consumer = nullptr;
  const std::uint64_t* producer = nullptr;
  const std::uint8_t* data = nullptr;
  std::size_t size = 0;  // a power of two
};

// Hands over what was complete when it was called, at most one ring full;
// returns the bytes consumed, headers included. A record is there during the call
// of `visit` only.
std::size_t consume_ring(const RingMemory& ring,
                         const std::function<void(std::span<const std::uint8_t>)>& visit);

}  // namespace dt::kernel
