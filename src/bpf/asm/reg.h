#pragma once
// The operands of instructions before registers are allocated, and what instructions do with them.

#include <cstdint>

namespace dt::bpf {

constexpr std::uint32_t kNoId = UINT32_MAX;  // no register, label or slot

struct Reg {
  std::uint32_t id = kNoId;
  bool valid() const { return id != kNoId; }
  bool operator==(const Reg&) const = default;
};
struct Label {
  std::uint32_t id = kNoId;
};
// A region of the BPF stack, 8-byte aligned.
struct StackSlot {
  std::uint32_t id = kNoId;
};

enum class Alu : std::uint8_t { kAdd, kSub, kMul, kDiv, kMod, kOr, kAnd, kXor, kLsh, kRsh, kArsh };
enum class Cond : std::uint8_t { kEq, kNe, kGt, kGe, kLt, kLe, kSgt, kSge, kSlt, kSle, kSet };
enum class Atomic : std::uint8_t { kAdd, kFetchAdd, kOr, kXchg, kCmpxchg };

// A map, as instructions name it before it exists; bpf/layout/memory.h says what each holds.
enum class MapKind : std::uint8_t {
  kGlobals,
  kRodata,
  kPercpu,
  kScratch,
  kRegion,
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
