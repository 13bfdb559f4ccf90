#pragma once
// -x oformat=jsonl: one JSON object on each line, of the version that "v"
// says. docs/jsonl.md describes the lines, docs/jsonl.schema.json holds them
// to it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/structured/drops.h"
#include "consumer/value/format.h"
#include "consumer/value/value.h"
#include "record/columns.h"
#include "record/field.h"
#include "record/layout.h"
#include "record/schema.h"
#include "record/wire.h"
#include "support/json.h"
#include "support/source.h"

namespace dt::consumer {

constexpr std::int64_t kJsonLinesVersion = 1;

// {"v":1,"type":...: what every line begins with.
void begin_line(support::Json& json, std::string_view type);
// The probe of an enabled probe id, as an object.
void write_probe(support::Json& json, const record::Schema& schema, std::uint32_t epid);

// A value's name: the text of its expression in the script.
std::string value_name(const Sources& sources, const record::Field& field);

// What the record of a clause holds. `text` formats a printf, freopen or system.
class RecordLine {
 public:
  RecordLine(const record::Schema& schema, const Sources& sources, FieldText& fields)
      : schema_(schema), sources_(sources), fields_(fields) {}

  using Text = std::function<std::string(std::size_t action)>;
  void append(std::string& out, const record::Header& header, const record::Layout& layout,
              Bytes bytes, const Text& text);

 private:
  void action(support::Json& json, const record::Layout& layout, std::size_t index, Bytes bytes,
              const Text& text);
  void values(support::Json& json, const record::Layout& layout, const record::Action& action,
              Bytes bytes);
  void row_value(support::Json& json, const record::Column& column, const record::Field& field,
                 Bytes bytes);
  void value(support::Json& json, const record::Layout& layout, const record::Action& action,
             std::uint32_t field, Bytes bytes);

  const record::Schema& schema_;
  const Sources& sources_;
  FieldText& fields_;
};

// The line of an error. `text` is the whole message without "dtrace: ".
struct ErrorLine {
  std::uint32_t epid = 0;
  std::string_view fault;  // empty: not a fault of a clause but a failed action
  std::uint32_t code = 0;
  std::uint64_t address = 0;
  std::uint32_t action = 0;
  std::string place;
  std::string_view text;
};
void append_error_line(std::string& out, const record::Schema& schema, const ErrorLine& error);
void append_drop_line(std::string& out, const Loss& loss);
void append_end_line(std::string& out, std::int32_t status);

}  // namespace dt::consumer
