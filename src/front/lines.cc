// See lines.h.

#include "front/lines.h"

#include <string_view>

#include "consumer/structured/json_lines.h"
#include "consumer/structured/json_value.h"
#include "support/json.h"

namespace dt::front {
namespace {

using support::Json;

// JSON is UTF-8: of another text, all bytes stand beside it.
void write_text(Json& json, std::string_view name, std::string_view text) {
  json.field(name, text);
  if (support::is_utf8(text)) return;
  json.field("bytes", consumer::hexadecimal(
                          {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
}

void begin(Json& json, std::string_view type, const Origin& by) {
  consumer::begin_line(json, type);
  json.field("time", by.time_ns);
  if (!by.point.empty()) json.field("point", by.point);
  if (by.cpu) json.field("cpu", *by.cpu);
  if (by.pid) json.field("pid", *by.pid);
  if (by.tid) json.field("tid", *by.tid);
}

void write_value(Json& json, const OutcomeValue& value) {
  json.begin_object();
  if (value.is_text) {
    json.field("type", "string");
    write_text(json, "value", value.text);
  } else {
    json.field("type", "int64").field("value", value.number);
  }
  json.end_object();
}

void write_message(Json& json, std::string_view message) {
  constexpr std::string_view kError = "ERROR: ", kWarning = "WARNING: ";
  const bool is_error = message.starts_with(kError);
  if (is_error) message.remove_prefix(kError.size());
  if (message.starts_with(kWarning)) message.remove_prefix(kWarning.size());
  json.field("severity", is_error ? "error" : "warning").field("message", message);
}

void write_keys(Json& json, const std::vector<OutcomeValue>& keys) {
  json.key("keys").begin_array();
  for (const OutcomeValue& key : keys) write_value(json, key);
  json.end_array();
}

void write_bucket(Json& json, const OutcomeBucket& bucket) {
  json.begin_object().field(bucket.is_below ? "below" : "value", bucket.value);
  if (bucket.is_above) json.key("above").boolean(true);
  json.field("count", bucket.count).end_object();
}

void write_histograms(Json& json, const std::vector<OutcomeHistogram>& histograms) {
  if (histograms.empty()) return;
  json.key("histograms").begin_array();
  for (const OutcomeHistogram& one : histograms) {
    json.begin_object().field("name", one.name);
    write_keys(json, one.keys);
    json.field("kind", one.is_linear ? "linear" : "log");
    if (one.is_linear) {
      json.field("low", one.low).field("high", one.high).field("width", one.width);
    }
    json.key("buckets").begin_array();
    for (const OutcomeBucket& bucket : one.buckets) write_bucket(json, bucket);
    json.end_array().end_object();
  }
  json.end_array();
}

void write_variable(Json& json, const Outcome& variable) {
  json.field("name", variable.text);
  write_keys(json, variable.keys);
  if (!variable.statistics) {
    json.key("value");
    return write_value(json, variable.value);
  }
  const OutcomeStatistics& s = *variable.statistics;
  json.key("statistics").begin_object().field("count", s.count);
  if (s.count > 0) {
    json.field("sum", s.sum).field("min", s.min).field("max", s.max).field("avg", s.average);
  }
  json.end_object();
}

}  // namespace

void append_line(std::string& out, const Outcome& outcome) {
  Json json(out);
  switch (outcome.kind) {
    case Outcome::Kind::kText:
      begin(json, "text", outcome.by);
      write_text(json, "text", outcome.text);
      write_histograms(json, outcome.histograms);
      break;
    case Outcome::Kind::kMessage:
      begin(json, "message", outcome.by);
      write_message(json, outcome.text);
      break;
    case Outcome::Kind::kVariable:
      begin(json, "variable", outcome.by);
      write_variable(json, outcome);
      break;
    case Outcome::Kind::kCommand:
      return;
  }
  json.end_object();
  out += '\n';
}

}  // namespace dt::front
