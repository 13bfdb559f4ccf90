// Values as JSON.

#include "consumer/structured/json_value.h"

#include <algorithm>

#include "consumer/value/shape_walk.h"

namespace dt::consumer {
namespace {

using record::Shape;

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

void write_text(support::Json& json, std::string_view text) {
  json.field("value", text);
  if (!support::is_utf8(text)) {
    json.field("bytes", hexadecimal(bytes_of(text)));
  }
}

void write_frames(support::Json& json, FieldText& fields, const Value& value) {
  json.key("value").begin_array();
  fields.each_named_frame(value, [&](const NamedFrame& frame) {
    const symbol::Symbol& symbol = frame.symbol;
    json.begin_object().field("address", fmt::format("0x{:x}", frame.address));
    if (!symbol.module.empty()) {
      json.field("module", symbol.module);
    }
    if (!symbol.name.empty()) {
      json.field("symbol", symbol.name);
    }
    if (frame.is_inlined) {
      json.key("inlined").boolean(true);
    } else if (!symbol.name.empty() && !symbol::is_source_frame(frame.address)) {
      json.field("offset", symbol.offset);
    }
    if (!frame.file.empty()) {
      json.field("file", frame.file);
    }
    if (frame.line != 0) {
      json.field("line", std::uint64_t{frame.line});
    }
    json.end_object();
  });
  json.end_array();
}

// What the walk over a shape (shape_walk.h) finds, as JSON.
struct JsonShapes {
  support::Json& json;
  void begin_structure(const Shape&) { json.begin_object(); }
  void end_structure() { json.end_object(); }
  void begin_array(const Shape&) { json.begin_array(); }
  void end_array() { json.end_array(); }
  void member(const std::string& name) { json.key(name); }
  void text(const Shape&, std::string_view text) { json.string(text); }
  void enumerator(const Shape&, const std::string& name) { json.string(name); }
  void pointer(const Shape&, std::uint64_t value) { json.string(fmt::format("0x{:x}", value)); }
  void number(const Shape&, const Number& number) { write_number(json, number); }
  void real(const Shape&, long double value) { json.real(value); }
  void nothing() { json.null(); }
};

}  // namespace

std::string hexadecimal(Bytes bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

void write_number(support::Json& json, const Number& number) {
  if (number.is_signed) {
    json.number(static_cast<std::int64_t>(number.bits));
  } else {
    json.number(number.bits);
  }
}

void write_value(support::Json& json, FieldText& fields, const Value& value) {
  record::FieldType type = *value.type;
  type.kind = kind_of(value);
  json.field("type", type_name(type));
  switch (form_of(value.type->kind)) {
    case ValueForm::kNumber:
      json.key("value");
      return write_number(json, number_of(value));
    case ValueForm::kBytes:
      json.field("value", hexadecimal(value.bytes));
      return;
    case ValueForm::kFrames:
      return write_frames(json, fields, value);
    case ValueForm::kSymbol:
    case ValueForm::kText:
      return write_text(json, fields.plain(value));
  }
}

void write_shaped(support::Json& json, const std::vector<record::Shape>& shapes,
                  std::uint32_t shape, Bytes bytes) {
  JsonShapes writer{json};
  walk_shape(writer, shapes, shape, bytes);
}

}  // namespace dt::consumer
