// Values by their shapes.

#include "consumer/value/print.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "support/shown.h"

namespace dt::consumer {
namespace {

using record::Shape;
using record::ShapeKind;
using support::append_name;  // all names of types come from the traced files

constexpr std::size_t kLevelIndent = 4;
// The depth at which shapes are cut off; types do not get there.
constexpr std::size_t kMaxPrintDepth = 128;

bool is_composite(const Shape& shape) {
  return shape.kind == ShapeKind::kStruct || shape.kind == ShapeKind::kUnion;
}

template <typename T>
T load(Bytes bytes) {
  T value{};
  if (!bytes.empty()) {
    std::memcpy(&value, bytes.data(), std::min(sizeof value, bytes.size()));
  }
  return value;
}

std::int64_t enumerator_value(const Shape& shape, std::uint64_t raw, std::uint32_t bits) {
  return shape.is_signed ? sign_extended(raw, bits) : static_cast<std::int64_t>(raw);
}

class Printer {
 public:
  Printer(std::string& out, const std::vector<Shape>& shapes) : out_(out), shapes_(shapes) {}

  void top(std::uint32_t index, Bytes bytes) {
    if (index >= shapes_.size()) {
      return;
    }
    const Shape& shape = shapes_[index];
    append_name(out_, shape.name);
    out_ += ' ';
    if (is_text(shapes_, shape, bytes)) {
      text(c_string(bytes));
    } else {
      value(shape, bytes, 0);
    }
  }

 private:
  const Shape* find(std::uint32_t index) const {
    return index < shapes_.size() ? &shapes_[index] : nullptr;
  }

  void text(std::string_view characters) {
    out_ += '"';
    append_c_escaped(out_, characters);
    out_ += '"';
  }

  void number(const Shape& shape, std::uint64_t raw, std::uint32_t bits) {
    if (shape.kind == ShapeKind::kEnum) {
      const std::string* name = enumerator_name(shape, raw, bits);
      append_name(out_,
                  name != nullptr ? *name : std::to_string(enumerator_value(shape, raw, bits)));
    } else if (shape.kind == ShapeKind::kChar) {
      const char character = static_cast<char>(raw);
      out_ += '\'';
      if (character == '"') {
        out_ += character;
      } else if (character == '\'') {
        out_ += "\\'";
      } else if (character != '\0' && (character < ' ' || character > '~')) {
        support::append_octal(out_, static_cast<unsigned char>(raw));
      } else {
        append_c_escaped(out_, {&character, 1});
      }
      out_ += '\'';
    } else if (raw == 0) {
      out_ += '0';
    } else {
      out_ += fmt::format("0x{:x}", raw);
    }
  }

  void floating(Bytes bytes) {
    if (bytes.size() == sizeof(float)) {
      out_ += fmt::format("{}", load<float>(bytes));
    } else if (bytes.size() == sizeof(double)) {
      out_ += fmt::format("{}", load<double>(bytes));
    } else {
      out_ += fmt::format("{}", load<long double>(bytes));
    }
  }

  void value(const Shape& shape, Bytes bytes, std::size_t depth) {
    if (depth > kMaxPrintDepth) {
      out_ += "...";
      return;
    }
    switch (shape.kind) {
      case ShapeKind::kInt:
      case ShapeKind::kChar:
      case ShapeKind::kEnum:
      case ShapeKind::kPointer:
        number(shape, bits_at(bytes, 0, shape.size * 8), shape.size * 8);
        return;
      case ShapeKind::kFloat:
        floating(bytes);
        return;
      case ShapeKind::kString:
        text(c_string(bytes));
        return;
      case ShapeKind::kStruct:
      case ShapeKind::kUnion:
        out_ += "{\n";
        for (const Shape::Member& one : shape.members) {
          member(one, bytes, depth + 1);
        }
        indent(depth);
        out_ += '}';
        return;
      case ShapeKind::kArray:
        array(shape, bytes, depth);
        return;
    }
  }

  void member(const Shape::Member& member, Bytes bytes, std::size_t depth) {
    const Shape* shape = find(member.shape);
    if (shape == nullptr) {
      return;
    }
    indent(depth);
    append_name(out_, shape->name);
    if (!member.name.empty()) {
      out_ += shape->name.ends_with('*') ? "" : " ";
      append_name(out_, member.name);
    }
    if (member.bit_size != 0) {
      out_ += fmt::format(" :{} = ", member.bit_size);
      number(*shape, bits_at(bytes, member.bit_offset, member.bit_size), member.bit_size);
      out_ += '\n';
      return;
    }
    out_ += member.name.empty() ? " " : " = ";
    const Bytes inner = member_of(bytes, member, *shape);
    if (is_text(shapes_, *shape, inner)) {
      out_ += "[ ";
      text(c_string(inner));
      out_ += " ]";
    } else {
      value(*shape, inner, depth);
    }
    out_ += '\n';
  }

  void array(const Shape& shape, Bytes bytes, std::size_t depth) {
    const Shape* element = find(shape.element);
    out_ += "[ ";
    const bool lines = element != nullptr && is_composite(*element);
    const std::uint32_t count = element == nullptr ? 0 : shape.count;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Bytes one = part_of(bytes, std::size_t{i} * element->size, element->size);
      out_ += i > 0 ? ", " : "";
      if (lines) {
        out_ += '\n';
        indent(depth + 1);
        append_name(out_, element->name);
        out_ += ' ';
        value(*element, one, depth + 1);
      } else if (is_text(shapes_, *element, one)) {
        text(c_string(one));
      } else {
        value(*element, one, depth + 1);
      }
    }
    if (lines && count > 0) {
      out_ += '\n';
      indent(depth);
      out_ += ']';
    } else {
      out_ += count > 0 ? " ]" : "]";
    }
  }

  void indent(std::size_t depth) { out_.append(depth * kLevelIndent, ' '); }

  std::string& out_;
  const std::vector<Shape>& shapes_;
};

}  // namespace

std::uint64_t bits_at(Bytes bytes, std::uint32_t offset, std::uint32_t count) {
  std::uint64_t result = 0;
  for (std::uint32_t bit = 0; bit < std::min<std::uint32_t>(count, 64); ++bit) {
    const std::size_t at = (std::size_t{offset} + bit) / 8;
    const std::uint64_t value = at < bytes.size() ? (bytes[at] >> ((offset + bit) % 8)) & 1U : 0;
    result |= value << bit;
  }
  return result;
}

std::int64_t sign_extended(std::uint64_t value, std::uint32_t bits) {
  const std::uint32_t unused = 64 - std::clamp<std::uint32_t>(bits, 1, 64);
  return static_cast<std::int64_t>(value << unused) >> unused;
}

Bytes part_of(Bytes bytes, std::size_t offset, std::size_t size) {
  offset = std::min(offset, bytes.size());
  return bytes.subspan(offset, std::min(size, bytes.size() - offset));
}

Bytes member_of(Bytes bytes, const Shape::Member& member, const Shape& shape) {
  return part_of(bytes, member.bit_offset / 8,
                 shape.kind == ShapeKind::kString ? bytes.size() : shape.size);
}

bool is_text(const std::vector<Shape>& shapes, const Shape& shape, Bytes bytes) {
  if (shape.kind != ShapeKind::kArray || shape.element >= shapes.size() ||
      shapes[shape.element].kind != ShapeKind::kChar || bytes.empty()) {
    return false;
  }
  const std::string_view text = c_string(bytes);
  const bool printable =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
  return printable && std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(text.size()),
                                  bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

const std::string* enumerator_name(const Shape& shape, std::uint64_t raw, std::uint32_t bits) {
  const std::int64_t value = enumerator_value(shape, raw, bits);
  const auto named = std::find_if(shape.enumerators.begin(), shape.enumerators.end(),
                                  [value](const auto& one) { return one.value == value; });
  return named != shape.enumerators.end() ? &named->name : nullptr;
}

long double float_at(Bytes bytes) {
  if (bytes.size() == sizeof(float)) {
    return static_cast<long double>(load<float>(bytes));
  }
  if (bytes.size() == sizeof(double)) {
    return static_cast<long double>(load<double>(bytes));
  }
  return load<long double>(bytes);
}

void append_print(std::string& out, const std::vector<Shape>& shapes, std::uint32_t shape,
                  Bytes bytes) {
  Printer(out, shapes).top(shape, bytes);
}

}  // namespace dt::consumer
