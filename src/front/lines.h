#pragma once
// What the handlers of a session print, as lines of JSON: docs/jsonl.md.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dt::front {

// The handler that a line is of.
struct LineOrigin {
  std::string point;         // with what its wildcards stand for; empty: of no handler
  std::int64_t time_ns = 0;  // since 1970: of the firing, or of now
  // Of a firing, who fired.
  std::optional<std::int64_t> cpu, pid, tid;
};

// A number or a text.
struct LineValue {
  bool is_text = false;
  std::int64_t number = 0;
  std::string_view text;
};

struct LineStatistics {
  std::int64_t count = 0, sum = 0, min = 0, max = 0, average = 0;
};

// The text that a handler has printed in one run of it.
void append_text_line(std::string& out, const LineOrigin& by, std::string_view text);
// A warning or an error. What it is stands at its begin ("WARNING: "), and becomes `severity`.
void append_message_line(std::string& out, const LineOrigin& by, std::string_view message);
// A global variable, or the element of one that has these keys.
void append_variable_line(std::string& out, std::int64_t time_ns, std::string_view name,
                          std::span<const LineValue> keys, const LineValue& value);
void append_variable_line(std::string& out, std::int64_t time_ns, std::string_view name,
                          std::span<const LineValue> keys, const LineStatistics& statistics);

}  // namespace dt::front
