#pragma once
// MapRef: a map as instructions name it, before it exists; memory.h says what each holds.

#include <cstdint>

namespace dt::bpf {

enum class MapKind : std::uint8_t {
  kGlobals,
  kRodata,
  kPercpu,
  kScratch,
  kRing,
  kTls,
  kAgg,
  kStacks,
  kAssoc,
  kUnwind,
  kKept,
  kFollowed,
};
struct MapRef {
  MapKind kind = MapKind::kGlobals;
  // kAgg: aggregation; kStacks: table; kAssoc: variable; kUnwind: UnwindMap; kKept: program
  std::uint32_t index = 0;
  bool operator==(const MapRef&) const = default;
};
const char* map_name(MapKind kind);

}  // namespace dt::bpf
