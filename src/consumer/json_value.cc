// Values as JSON.

#include "consumer/json_value.h"

#include <algorithm>

#include "consumer/print.h"

namespace dt::consumer {
namespace {

using record::FieldKind;
using record::Shape;
using record::ShapeKind;

std::string hexadecimal(Bytes bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

void write_text(Json& json, const char* type, std::string_view text) {
  json.field("type", type).field("value", text);
  if (!is_utf8(text)) {
    json.field("bytes", hexadecimal(bytes_of(text)));
  }
}

void write_number(Json& json, const Number& number) {
  if (number.is_signed) {
    json.number(static_cast<std::int64_t>(number.bits));
  } else {
    json.number(number.bits);
  }
}

void write_frames(Json& json, FieldText& fields, const Value& value) {
  json.field("type", record::kind_name(value.type->kind)).key("value").begin_array();
  const std::size_t first = value.type->kind == FieldKind::kUstack ? 8 : 0;
  for (std::size_t at = first; at + 8 <= value.bytes.size(); at += 8) {
    const std::uint64_t address = load_u64(value.bytes, at);
    if (address == 0) {
      break;
    }
    const symbol::Symbol symbol = fields.symbol_of(value, address);
    json.begin_object().field("address", fmt::format("0x{:x}", address));
    if (!symbol.module.empty()) {
      json.field("module", symbol.module);
    }
    if (!symbol.name.empty()) {
      json.field("symbol", symbol.name).field("offset", symbol.offset);
    }
    json.end_object();
  }
  json.end_array();
}

class ShapeWriter {
 public:
  ShapeWriter(Json& json, const std::vector<Shape>& shapes) : json_(json), shapes_(shapes) {}

  void value(std::uint32_t index, Bytes bytes, int depth) {
    constexpr int kMaxDepth = 128;
    if (index >= shapes_.size() || depth > kMaxDepth) {
      json_.null();
      return;
    }
    const Shape& shape = shapes_[index];
    switch (shape.kind) {
      case ShapeKind::kStruct:
      case ShapeKind::kUnion:
        json_.begin_object();
        members(shape, bytes, depth);
        json_.end_object();
        return;
      case ShapeKind::kArray:
        array(shape, bytes, depth);
        return;
      case ShapeKind::kString:
        json_.string(c_string(bytes));
        return;
      case ShapeKind::kFloat:
        json_.real(float_at(bytes));
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
  void members(const Shape& shape, Bytes bytes, int depth) {
    for (const Shape::Member& member : shape.members) {
      if (member.shape >= shapes_.size()) {
        continue;
      }
      const Shape& inner = shapes_[member.shape];
      const Bytes part = part_of(bytes, member.bit_offset / 8, inner.size);
      if (member.name.empty()) {
        members(inner, part, depth + 1);
        continue;
      }
      json_.key(member.name);
      if (member.bit_size != 0) {
        number(inner, bits_at(bytes, member.bit_offset, member.bit_size), member.bit_size);
      } else {
        value(member.shape, part, depth + 1);
      }
    }
  }

  void array(const Shape& shape, Bytes bytes, int depth) {
    if (is_text(shapes_, shape, bytes)) {
      json_.string(c_string(bytes));
      return;
    }
    json_.begin_array();
    for (std::uint32_t i = 0; i < shape.count && shape.element < shapes_.size(); ++i) {
      const std::size_t size = shapes_[shape.element].size;
      value(shape.element, part_of(bytes, i * size, size), depth + 1);
    }
    json_.end_array();
  }

  void number(const Shape& shape, std::uint64_t raw, std::uint32_t bits) {
    const std::int64_t extended = sign_extended(raw, bits);
    if (shape.kind == ShapeKind::kPointer) {
      json_.string(fmt::format("0x{:x}", raw));
      return;
    }
    if (shape.kind == ShapeKind::kEnum) {
      if (const std::string* name = enumerator_name(shape, raw, bits)) {
        json_.string(*name);
        return;
      }
    }
    if (shape.is_signed) {
      json_.number(extended);
    } else {
      json_.number(raw);
    }
  }

  Json& json_;
  const std::vector<Shape>& shapes_;
};

}  // namespace

void write_value(Json& json, FieldText& fields, const Value& value) {
  const FieldKind kind = value.type->kind;
  switch (kind) {
    case FieldKind::kInt:
      json.field("type",
                 fmt::format("{}int{}", value.type->is_signed ? "" : "u", value.type->size * 8));
      json.key("value");
      write_number(json, number_of(value));
      return;
    case FieldKind::kBytes:
      json.field("type", "bytes").field("value", hexadecimal(value.bytes));
      return;
    case FieldKind::kStack:
    case FieldKind::kUstack:
      write_frames(json, fields, value);
      return;
    case FieldKind::kString:
    case FieldKind::kSym:
    case FieldKind::kMod:
    case FieldKind::kUaddr:
    case FieldKind::kUsym:
    case FieldKind::kUmod:
    case FieldKind::kProbeProv:
    case FieldKind::kProbeMod:
    case FieldKind::kProbeFunc:
    case FieldKind::kProbeName:
      write_text(json, is_probe_part(kind) ? "string" : record::kind_name(kind),
                 fields.plain(value));
      return;
  }
}

void write_shaped(Json& json, const std::vector<record::Shape>& shapes, std::uint32_t shape,
                  Bytes bytes) {
  ShapeWriter(json, shapes).value(shape, bytes, 0);
}

}  // namespace dt::consumer
