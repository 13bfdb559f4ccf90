#pragma once
// The values within a value of print(), in their order, passed to a `Writer`:
//
//     begin_structure(shape), then for each member member(name) and its value,
//     end_structure(); begin_array(shape), elements, end_array(); text, enumerator,
//     pointer, number, real; nothing() for what has no value
//
// A shape is what is left of a C type in the schema: enough to show a value, without the type
// catalogue, which the consumer does not have. Shapes refer to each other by index, and the sizes
// and offsets in them are those of the traced system. Bytes that are missing, in a damaged record,
// count as zeros.

#include <string>
#include <vector>

#include "consumer/value/format.h"
#include "consumer/value/print.h"
#include "record/shape.h"

namespace dt::consumer {

template <typename Writer>
class ShapeWalk {
 public:
  ShapeWalk(Writer& writer, const std::vector<record::Shape>& shapes)
      : writer_(writer), shapes_(shapes) {}

  // The depth is limited although C's types are finite: an index of a damaged schema could lead
  // back to itself.
  void value(std::uint32_t index, Bytes bytes, int depth) {
    using record::ShapeKind;
    constexpr int kMaxDepth = 128;
    if (index >= shapes_.size() || depth > kMaxDepth) {
      writer_.nothing();
      return;
    }
    const record::Shape& shape = shapes_[index];
    switch (shape.kind) {
      case ShapeKind::kStruct:
      case ShapeKind::kUnion:
        writer_.begin_structure(shape);
        members(shape, bytes, depth);
        writer_.end_structure();
        return;
      case ShapeKind::kArray:
        array(shape, bytes, depth);
        return;
      case ShapeKind::kString:
        writer_.text(shape, c_string(bytes));
        return;
      case ShapeKind::kFloat:
        writer_.real(shape, float_at(bytes));
        return;
      case ShapeKind::kInt:
      case ShapeKind::kChar:
      case ShapeKind::kEnum:
      case ShapeKind::kPointer:
        number(shape, bits_at(bytes, 0, shape.size * 8), shape.size * 8);
        return;
    }
  }

 private:
  // An anonymous member's members are the outer one's, as in C.
  void members(const record::Shape& shape, Bytes bytes, int depth) {
    for (const record::Shape::Member& member : shape.members) {
      if (member.shape >= shapes_.size()) {
        continue;
      }
      const record::Shape& inner = shapes_[member.shape];
      const Bytes part = member_of(bytes, member, inner);
      if (member.name.empty()) {
        members(inner, part, depth + 1);
        continue;
      }
      writer_.member(member.name);
      if (member.bit_size != 0) {
        number(inner, bits_at(bytes, member.bit_offset, member.bit_size), member.bit_size);
      } else {
        value(member.shape, part, depth + 1);
      }
    }
  }

  void array(const record::Shape& shape, Bytes bytes, int depth) {
    if (is_text(shapes_, shape, bytes)) {
      writer_.text(shape, c_string(bytes));
      return;
    }
    writer_.begin_array(shape);
    for (std::uint32_t i = 0; i < shape.count && shape.element < shapes_.size(); ++i) {
      const std::size_t size = shapes_[shape.element].size;
      value(shape.element, part_of(bytes, i * size, size), depth + 1);
    }
    writer_.end_array();
  }

  // `bits` is less than the shape's size for a bit-field; the sign is then its highest bit.
  void number(const record::Shape& shape, std::uint64_t raw, std::uint32_t bits) {
    if (shape.kind == record::ShapeKind::kPointer) {
      writer_.pointer(shape, raw);
      return;
    }
    if (shape.kind == record::ShapeKind::kEnum) {
      if (const std::string* name = enumerator_name(shape, raw, bits)) {
        writer_.enumerator(shape, *name);
        return;
      }
    }
    const std::int64_t extended = sign_extended(raw, bits);
    writer_.number(shape, shape.is_signed ? Number{static_cast<std::uint64_t>(extended), 8, true}
                                          : Number{raw, 8, false});
  }

  Writer& writer_;
  const std::vector<record::Shape>& shapes_;
};

template <typename Writer>
void walk_shape(Writer& writer, const std::vector<record::Shape>& shapes, std::uint32_t shape,
                Bytes bytes) {
  ShapeWalk<Writer>(writer, shapes).value(shape, bytes, 0);
}

}  // namespace dt::consumer
