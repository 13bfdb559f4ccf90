// See agg_key.h.
//
// The key of an element in the kernel is more than the script's key: in front are the generation
// (see runtime/aggregations.cc), the CPU, and, where aggregations share a map, the aggregation's
// number. A stack is not in the key: it would be up to 1 KiB, compared and hashed at each firing. A
// number stands for it, and the frames are once in a table of their own.

#include "bpf/layout/agg_key.h"

#include <cstring>

#include "support/check.h"

namespace dt::bpf {

std::uint32_t before_frames(const record::FieldType& type) {
  return type.kind == record::FieldKind::kUstack ? 8 : 0;
}

std::uint32_t frames_in_table(const record::FieldType& type) {
  if (type.kind != record::FieldKind::kStack && type.kind != record::FieldKind::kUstack) return 0;
  const std::uint32_t frames = type.size - before_frames(type);
  return frames > kFramesInKey * 8 ? frames : 0;
}

// Frames are whole words, so what follows them stays aligned.
AggKey agg_key(const record::AggLayout& agg) {
  AggKey key;
  std::uint32_t saved = 0;
  for (const record::Field& field : agg.keys) {
    key.offsets.push_back(kAggKeyPrefix + field.offset - saved);
    const std::uint32_t frames = frames_in_table(field.type);
    if (frames == 0) continue;
    saved += frames - 8;
    key.has_numbers = true;
  }
  key.bytes = kAggKeyPrefix + agg.key_bytes - saved;
  return key;
}

bool whole_key(const record::AggLayout& agg, const AggKey& key,
               std::span<const std::uint8_t> stored, const FindFrames& find,
               std::vector<std::uint8_t>& whole) {
  DT_CHECK(stored.size() == key.bytes, "{} of {} bytes", stored.size(), key.bytes);
  whole.assign(agg.key_bytes, 0);
  for (std::size_t i = 0; i < agg.keys.size(); ++i) {
    const record::Field& field = agg.keys[i];
    const std::uint8_t* const from = stored.data() + key.offsets[i];
    std::uint8_t* const to = whole.data() + field.offset;
    const std::uint32_t frames = frames_in_table(field.type);
    const std::uint32_t before = frames == 0 ? field.type.size : before_frames(field.type);
    std::memcpy(to, from, before);
    if (frames == 0) continue;
    std::uint64_t number = 0;
    std::memcpy(&number, from + before, 8);
    if (!find(frames, number, to + before)) return false;
  }
  return true;
}

}  // namespace dt::bpf
