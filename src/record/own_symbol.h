#pragma once
// A kUaddr that says itself what it is shown as, as a key that is sym() in one place and mod() in
// another: the upper half of its process is that kind and 1, or 0 for a kUaddr like any other.
//
//     63      32 31       0
//     +---------+----------+--------------+
//     | kind+1  | process  | address      |      of the kernel: process 0
//     +---------+----------+--------------+

#include <cstdint>

#include "record/field.h"

namespace dt::record {

constexpr std::uint32_t kOwnKindShift = 32;

constexpr std::uint32_t own_kind(FieldKind kind) { return static_cast<std::uint32_t>(kind) + 1; }

// What the first word of a kUaddr says; kUaddr for what no kind of an address is.
constexpr FieldKind own_kind_of(std::uint64_t word) {
  for (const FieldKind kind :
       {FieldKind::kSym, FieldKind::kMod, FieldKind::kUsym, FieldKind::kUmod}) {
    if (word >> kOwnKindShift == own_kind(kind)) return kind;
  }
  return FieldKind::kUaddr;
}

}  // namespace dt::record
