#pragma once
// The four names of a probe, and patterns over them.

#include <optional>
#include <string>
#include <string_view>

namespace dt::probe {

struct Description {
  std::string provider, module, function, name;
  bool operator==(const Description&) const = default;
};
// "provider:module:function:name"
std::string to_string(const Description& description);

// A description with omitted fields and globs (* ? [a-z] [!a-z] \ escapes).
// Fields are right-aligned: "entry" is a name, "read:entry" function and name.
struct Pattern {
  std::string provider, module, function, name;  // empty = any
  std::string text;                              // as written
  bool operator==(const Pattern&) const = default;
};
// nullopt when there are more than four fields.
std::optional<Pattern> parse_pattern(std::string_view text);
std::string to_string(const Pattern& pattern);
bool glob_match(std::string_view pattern, std::string_view text);
// True when the field has no glob character (so a provider can look it up).
bool is_literal(std::string_view pattern);
// Whether the field of a pattern means the text; an empty one means any.
bool field_matches(std::string_view pattern, std::string_view text);
bool matches(const Pattern& pattern, const Description& description);

}  // namespace dt::probe
