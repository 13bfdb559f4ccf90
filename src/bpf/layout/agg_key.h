#pragma once
// The layout of the key of a keyed aggregation in its map:
//
//   u32 generation (Control::generation)
//   u16 number of the CPU
//   u16 number of the aggregation, where several are in one map; otherwise 0
//   the fields, in the order of record::AggLayout
//
// Of a stack of more than kFramesInKey frames the key has only a u64 number,
// under which the frames are in a table of stacks. The kernel hashes and compares
// keys whole, zeros included: hundreds of bytes for a stack of a few frames, at
// every firing. A number stands for one stack: it is a hash of the frames, moved
// on where the table has others under it. It is never 0, and its lowest bit is the
// generation's.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "record/aggregation.h"
#include "record/field.h"

namespace dt::bpf {

constexpr std::uint32_t kAggKeyPrefix = 8;
constexpr std::uint32_t kFramesInKey = 8;

struct AggKey {
  std::uint32_t bytes = 0;             // multiple of 8
  std::vector<std::uint32_t> offsets;  // by field
  bool has_numbers = false;            // of stacks
};
AggKey agg_key(const record::AggLayout& agg);

// Bytes of frames that a key field of this type has in a table, and bytes before
// them that stay in the key.
std::uint32_t frames_in_table(const record::FieldType& type);
std::uint32_t before_frames(const record::FieldType& type);

// Writes the frames with this number to `to`; false when there are none.
using FindFrames =
    std::function<bool(std::uint32_t frames_bytes, std::uint64_t number, std::uint8_t* to)>;

// The key as AggLayout has it, from the map's; false when a stack is not found.
bool whole_key(const record::AggLayout& agg, const AggKey& key,
               std::span<const std::uint8_t> stored, const FindFrames& find,
               std::vector<std::uint8_t>& whole);

}  // namespace dt::bpf
