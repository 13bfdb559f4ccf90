#pragma once
// Types of values in the intermediate representation, and the numbers of values and blocks.

#include <cstdint>

namespace dt::ir {

enum class TypeKind : std::uint8_t { kVoid, kInt, kString, kBytes };

struct Type {
  TypeKind kind = TypeKind::kVoid;
  bool is_signed = false;  // kInt
  std::uint32_t size = 0;  // kInt: 1, 2, 4, 8; kString: capacity with NUL; kBytes: size
  bool operator==(const Type&) const = default;

  static Type none() { return {}; }
  static Type integer(std::uint32_t size, bool is_signed) {
    return {TypeKind::kInt, is_signed, size};
  }
  static Type s64() { return integer(8, true); }
  static Type u64() { return integer(8, false); }
  static Type s32() { return integer(4, true); }
  static Type u32() { return integer(4, false); }
  static Type string(std::uint32_t capacity) { return {TypeKind::kString, false, capacity}; }
  static Type bytes(std::uint32_t size) { return {TypeKind::kBytes, false, size}; }
};

using ValueId = std::uint32_t;  // function-wide; defined once
using BlockId = std::uint32_t;
constexpr std::uint32_t kNone = 0xffffffff;

}  // namespace dt::ir
