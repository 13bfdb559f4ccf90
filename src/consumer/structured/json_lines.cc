// Records, errors, drops and the end as lines of JSON.

#include "consumer/structured/json_lines.h"

#include "consumer/structured/json_value.h"
#include "consumer/value/describe.h"
#include "consumer/value/memory.h"
#include "consumer/value/table.h"

namespace dt::consumer {
namespace {

using record::ActionKind;

constexpr std::size_t kMaxNameBytes = 256;

bool has_text(ActionKind kind) {
  return kind == ActionKind::kPrintf || kind == ActionKind::kFreopen || kind == ActionKind::kSystem;
}

// What a speculation recorded are records of their own.
bool is_shown(ActionKind kind) {
  return kind != ActionKind::kDefault && kind != ActionKind::kCommit &&
         kind != ActionKind::kDiscard;
}

}  // namespace

void begin_line(support::Json& json, std::string_view type) {
  json.begin_object().field("v", kJsonLinesVersion).field("type", type);
}

void write_probe(support::Json& json, const record::Schema& schema, std::uint32_t epid) {
  if (epid == 0 || epid > schema.epids.size()) {
    json.null();
    return;
  }
  const ProbeId id = schema.epids[epid - 1].probe;
  const record::ProbeNames* names = record::find_probe(schema, id);
  json.begin_object().field("id", std::uint64_t{id.value});
  if (names != nullptr) {
    json.field("provider", names->provider)
        .field("module", names->module)
        .field("function", names->function)
        .field("name", names->name);
  }
  json.end_object();
}

std::string value_name(const Sources& sources, const record::Field& field) {
  if (field.span.end == 0 || field.span.source >= sources.size()) {
    return {};
  }
  std::string name;
  for (const char c : sources.text(field.span)) {
    const bool blank = c == ' ' || c == '\n' || c == '\t';
    if (!blank) {
      name += c;
    } else if (!name.empty() && name.back() != ' ') {
      name += ' ';
    }
    if (name.size() >= kMaxNameBytes) {
      break;
    }
  }
  return name;
}

void RecordLine::append(std::string& out, const record::Header& header,
                        const record::Layout& layout, Bytes bytes, const Text& text) {
  support::Json json(out);
  begin_line(json, "record");
  if (layout.has_time && !layout.fields.empty()) {
    json.field("time", record::time_of(layout, bytes));
  }
  json.field("cpu", std::uint64_t{header.cpu});
  if (layout.has_thread) {
    const record::Thread thread = record::thread_of(layout, bytes);
    json.field("pid", std::int64_t{thread.process}).field("tid", std::int64_t{thread.thread});
  }
  json.field("epid", std::uint64_t{header.epid});
  json.key("probe");
  write_probe(json, schema_, header.epid);
  json.key("actions").begin_array();
  for (std::size_t i = 0; i < layout.actions.size(); ++i) {
    if (is_shown(layout.actions[i].kind)) {
      action(json, layout, i, bytes, text);
    }
  }
  json.end_array().end_object();
  out += '\n';
}

void RecordLine::action(support::Json& json, const record::Layout& layout, std::size_t index,
                        Bytes bytes, const Text& text) {
  const record::Action& action = layout.actions[index];
  json.begin_object().field("action", record::action_name(action.kind));
  if (has_text(action.kind)) {
    json.field("text", text(index));
  }
  if (!action.aggregations.empty()) {
    json.key("aggregations").begin_array();
    for (const std::uint32_t aggregation : action.aggregations) {
      json.string(aggregation < schema_.aggregations.size() ? schema_.aggregations[aggregation].name
                                                            : std::string());
    }
    json.end_array();
  }
  if (action.field_count > 0) {
    values(json, layout, action, bytes);
  }
  json.end_object();
}

void RecordLine::values(support::Json& json, const record::Layout& layout,
                        const record::Action& action, Bytes bytes) {
  json.key("values").begin_array();
  // The second field of these says how much of the first counts.
  const std::uint32_t count = is_memory(action.kind) ? 1 : action.field_count;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i < action.columns.size()) {
      row_value(json, action.columns[i], layout.fields[action.first_field + i], bytes);
    } else {
      value(json, layout, action, action.first_field + i, bytes);
    }
  }
  json.end_array();
}

// The value is exact; where the column says how it is shown, that is there as well.
void RecordLine::row_value(support::Json& json, const record::Column& column,
                           const record::Field& field, Bytes bytes) {
  const Value value = value_of(field, bytes);
  json.begin_object().field("name", column.name);
  write_value(json, fields_, value);
  if (column.piece.conversion != 0) {
    json.field("text", cell(fields_, column, value));
  }
  json.end_object();
}

void RecordLine::value(support::Json& json, const record::Layout& layout,
                       const record::Action& action, std::uint32_t index, Bytes bytes) {
  const record::Field& field = layout.fields[index];
  Value value = value_of(field, bytes);
  json.begin_object();
  if (const std::string name = value_name(sources_, field); !name.empty()) {
    json.field("name", name);
  }
  if (action.kind == ActionKind::kPrint && action.shape < layout.shapes.size()) {
    const std::string text = is_probe_part(field.type.kind) ? fields_.plain(value) : std::string();
    if (is_probe_part(field.type.kind)) {
      value.bytes = {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
    }
    json.field("type", layout.shapes[action.shape].name).key("value");
    write_shaped(json, layout.shapes, action.shape, value.bytes);
  } else {
    if (is_memory(action.kind)) {
      value.bytes = memory_of(layout, action, bytes);
    }
    write_value(json, fields_, value);
  }
  json.end_object();
}

void append_error_line(std::string& out, const record::Schema& schema, const ErrorLine& error) {
  support::Json json(out);
  begin_line(json, "error");
  json.field("epid", std::uint64_t{error.epid}).key("probe");
  write_probe(json, schema, error.epid);
  if (!error.fault.empty()) {
    json.field("fault", error.fault)
        .field("code", std::uint64_t{error.code})
        .field("address", fmt::format("0x{:x}", error.address))
        .field("action", std::uint64_t{error.action});
  }
  if (!error.place.empty()) {
    json.field("place", error.place);
  }
  json.field("message", error.text).end_object();
  out += '\n';
}

void append_drop_line(std::string& out, const Loss& loss) {
  support::Json json(out);
  begin_line(json, "drop");
  json.field("kind", loss.tag);
  if (loss.cpu >= 0) {
    json.field("cpu", std::int64_t{loss.cpu});
  }
  json.field("count", loss.count).field("message", loss.text).end_object();
  out += '\n';
}

void append_end_line(std::string& out, std::int32_t status) {
  support::Json json(out);
  begin_line(json, "end");
  json.field("status", std::int64_t{status}).end_object();
  out += '\n';
}

}  // namespace dt::consumer
