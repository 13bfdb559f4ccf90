#pragma once
// How much of a ring may be written. Rings have sizes that are powers of two, and at least a page;
// where a buffer is filled once, it must be full when it holds as much as was asked for.

#include <cstddef>
#include <cstdint>

#include "kernel/kernel.h"
#include "support/fd.h"
#include "support/result.h"

namespace dt::runtime {

// What a record of so many bytes takes in a ring, with the kernel's header and padding.
std::uint64_t bytes_in_ring(std::uint32_t record_bytes);

// Leaves room for `room` bytes of records in an empty ring of `ring_bytes`, with 8 bytes for each
// record, until the ring is read for the first time.
Status leave_room(kernel::Kernel& kernel, const Fd& ring, std::size_t ring_bytes, std::size_t room);

}  // namespace dt::runtime
