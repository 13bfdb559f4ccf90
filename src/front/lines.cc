// See lines.h.

#include "front/lines.h"

#include "consumer/json.h"
#include "consumer/json_lines.h"
#include "consumer/json_value.h"

namespace dt::front {
namespace {

using consumer::Json;

// JSON is UTF-8: of another text, all bytes stand beside it.
void write_text(Json& json, std::string_view name, std::string_view text) {
  json.field(name, text);
  if (consumer::is_utf8(text)) return;
  json.field("bytes", consumer::hexadecimal(
                          {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
}

void begin(Json& json, std::string_view type, const LineOrigin& by) {
  consumer::begin_line(json, type);
  json.field("time", by.time_ns);
  if (!by.point.empty()) json.field("point", by.point);
  if (by.cpu) json.field("cpu", *by.cpu);
  if (by.pid) json.field("pid", *by.pid);
  if (by.tid) json.field("tid", *by.tid);
}

void write_value(Json& json, const LineValue& value) {
  json.begin_object();
  if (value.is_text) {
    json.field("type", "string");
    write_text(json, "value", value.text);
  } else {
    json.field("type", "int64").field("value", value.number);
  }
  json.end_object();
}

void begin_variable(Json& json, std::int64_t time_ns, std::string_view name,
                    std::span<const LineValue> keys) {
  consumer::begin_line(json, "variable");
  json.field("time", time_ns).field("name", name).key("keys").begin_array();
  for (const LineValue& key : keys) write_value(json, key);
  json.end_array();
}

}  // namespace

void append_text_line(std::string& out, const LineOrigin& by, std::string_view text) {
  Json json(out);
  begin(json, "text", by);
  write_text(json, "text", text);
  json.end_object();
  out += '\n';
}

void append_message_line(std::string& out, const LineOrigin& by, std::string_view message) {
  constexpr std::string_view kError = "ERROR: ", kWarning = "WARNING: ";
  const bool is_error = message.starts_with(kError);
  if (is_error) message.remove_prefix(kError.size());
  if (message.starts_with(kWarning)) message.remove_prefix(kWarning.size());
  Json json(out);
  begin(json, "message", by);
  json.field("severity", is_error ? "error" : "warning").field("message", message).end_object();
  out += '\n';
}

void append_variable_line(std::string& out, std::int64_t time_ns, std::string_view name,
                          std::span<const LineValue> keys, const LineValue& value) {
  Json json(out);
  begin_variable(json, time_ns, name, keys);
  json.key("value");
  write_value(json, value);
  json.end_object();
  out += '\n';
}

void append_variable_line(std::string& out, std::int64_t time_ns, std::string_view name,
                          std::span<const LineValue> keys, const LineStatistics& statistics) {
  const LineStatistics& s = statistics;
  Json json(out);
  begin_variable(json, time_ns, name, keys);
  json.key("statistics").begin_object().field("count", s.count);
  if (s.count > 0) {
    json.field("sum", s.sum).field("min", s.min).field("max", s.max).field("avg", s.average);
  }
  json.end_object().end_object();
  out += '\n';
}

}  // namespace dt::front
