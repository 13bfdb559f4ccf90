#pragma once
// Shapes: what print() needs to know of a C type, without the catalogue that
// the type came from. A record's layout carries the shapes of the values that
// its print() actions record, so that a consumer of bytes needs nothing else.
//
// A shape refers to others of the same list by index. Only the bytes of the
// value are described: a pointer is a number with the name of its type.

#include <cstdint>
#include <string>
#include <vector>

namespace dt::record {

constexpr std::uint32_t kNoShape = 0xffffffff;

enum class ShapeKind : std::uint8_t {
  kInt,
  kChar,  // one byte that is shown as a character
  kFloat,
  kEnum,
  kPointer,
  kString,  // D's string
  kStruct,
  kUnion,
  kArray,
};

struct Shape {
  struct Member {
    std::string name;  // empty: anonymous
    std::uint32_t shape = kNoShape;
    std::uint32_t bit_offset = 0;
    std::uint32_t bit_size = 0;  // 0 = not a bit-field
  };
  struct Enumerator {
    std::string name;
    std::int64_t value = 0;
  };

  ShapeKind kind = ShapeKind::kInt;
  bool is_signed = false;
  std::uint32_t size = 0;  // bytes
  std::string name;        // "int", "struct list_head", "char [16]", "void *"
  std::vector<Member> members;
  std::vector<Enumerator> enumerators;
  std::uint32_t element = kNoShape;  // kArray
  std::uint32_t count = 0;           // kArray
};

}  // namespace dt::record
