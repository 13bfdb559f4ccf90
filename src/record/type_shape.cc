// Types of the catalogue as shapes.
//
// A type becomes a shape when print() or an aggregation's key needs it: only what is reachable by
// value is followed, with pointers as numbers, so a shape is finite even if the type is not.

#include "record/type_shape.h"

#include <unordered_map>

namespace dt::record {
namespace {

using types::Type;
using types::TypeId;

// Deeper than any type that a compiler accepts; types may come from a file.
constexpr int kMaxDepth = 64;

class Builder {
 public:
  Builder(const types::Catalog& catalog, std::vector<Shape>& shapes)
      : catalog_(catalog), shapes_(shapes) {}

  std::uint32_t add(TypeId id, int depth) {
    const auto known = known_.find(id);
    if (known != known_.end()) return known->second;
    if (depth > kMaxDepth) return kNoShape;
    known_.emplace(id, kNoShape);  // a type that contains itself is malformed: it is left out
    const Type& type = catalog_.resolved(id);
    Shape shape;
    if (!describe(type, shape)) return kNoShape;
    shape.name = name(id, depth);
    shape.size = catalog_.size_of(id);
    shape.is_signed = type.is_signed;
    if (shape.kind == ShapeKind::kArray) {
      shape.element = add(type.target, depth + 1);
      if (shape.element == kNoShape) return kNoShape;
      shape.count = type.count;
    }
    for (const types::Member& member : type.members) {
      if (shape.kind != ShapeKind::kStruct && shape.kind != ShapeKind::kUnion) break;
      const std::uint32_t inner = add(member.type, depth + 1);
      if (inner != kNoShape && (member.bit_size != 0 || member.bit_offset % 8 == 0)) {
        shape.members.push_back({member.name, inner, member.bit_offset, member.bit_size});
      }
    }
    shapes_.push_back(std::move(shape));
    const auto index = static_cast<std::uint32_t>(shapes_.size() - 1);
    known_[id] = index;
    return index;
  }

 private:
  // Kind and enumerators; false for what has no value.
  static bool describe(const Type& type, Shape& shape) {
    switch (type.kind) {
      case types::Kind::kInt:
        shape.kind = type.is_char && type.is_signed ? ShapeKind::kChar : ShapeKind::kInt;
        return true;
      case types::Kind::kFloat:
        shape.kind = ShapeKind::kFloat;
        return true;
      case types::Kind::kEnum:
        shape.kind = ShapeKind::kEnum;
        for (const types::Enumerator& one : type.enumerators) {
          shape.enumerators.push_back({one.name, one.value});
        }
        return true;
      case types::Kind::kPointer:
        shape.kind = ShapeKind::kPointer;
        return true;
      case types::Kind::kString:
        shape.kind = ShapeKind::kString;
        return true;
      case types::Kind::kStruct:
        shape.kind = ShapeKind::kStruct;
        return true;
      case types::Kind::kUnion:
        shape.kind = ShapeKind::kUnion;
        return true;
      case types::Kind::kArray:
        shape.kind = ShapeKind::kArray;
        return true;
      case types::Kind::kVoid:
      case types::Kind::kFunction:
      case types::Kind::kForward:
      case types::Kind::kTypedef:
      case types::Kind::kStack:
      case types::Kind::kSymbol:
      case types::Kind::kUserSymbol:
        return false;
    }
    return false;
  }

  // As print() shows it: "char [16]", "int (*)()" whatever the parameters,
  // "struct" for one without a tag, and no userland.
  std::string name(TypeId id, int depth) const {
    const Type& type = catalog_.at(id);
    if (depth > kMaxDepth) return "...";
    if (type.kind == types::Kind::kArray) {
      std::string dimensions;
      TypeId element = id;
      for (; catalog_.at(element).kind == types::Kind::kArray && depth <= kMaxDepth; ++depth) {
        const std::uint32_t count = catalog_.at(element).count;
        dimensions += '[' + (count == 0 ? std::string() : std::to_string(count)) + ']';
        element = catalog_.at(element).target;
      }
      return name(element, depth + 1) + ' ' + dimensions;
    }
    if (type.kind == types::Kind::kPointer &&
        catalog_.at(type.target).kind == types::Kind::kFunction) {
      return name(catalog_.at(type.target).target, depth + 1) + " (*)()";
    }
    std::string text = catalog_.name(id);
    for (const std::string_view noise : {" {...}", "userland "}) {
      for (std::size_t at = 0; (at = text.find(noise)) != std::string::npos;) {
        text.erase(at, noise.size());
      }
    }
    return text;
  }

  const types::Catalog& catalog_;
  std::vector<Shape>& shapes_;
  std::unordered_map<TypeId, std::uint32_t> known_;
};

}  // namespace

std::uint32_t add_shape(const types::Catalog& catalog, TypeId type, std::vector<Shape>& shapes) {
  return Builder(catalog, shapes).add(type, 0);
}

}  // namespace dt::record
