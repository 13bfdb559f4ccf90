// Patterns: how a person names probes, and which names a pattern denotes.
//
// A pattern is that of the shell: `*`, `?`, `[a-z]`, `[!a-z]`, and a backslash. It is matched
// without recursion: at a mismatch the last `*` takes one character more, so the time is at most
// the product of both lengths, and no pattern can take exponential time.

#include "probe/pattern.h"

#include <string_view>
#include <utility>

namespace dt::probe {
namespace {

constexpr std::string_view kSpecial = "*?[\\";

// Stars behind a star mean nothing, and would be gone through for each probe.
std::string without_double_stars(std::string_view field) {
  std::string out;
  bool is_star = false;
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (field[i] == '\\' && i + 1 < field.size()) {
      out += field[i++];
      is_star = false;
    } else if (field[i] == '*' && std::exchange(is_star, true)) {
      continue;
    } else {
      is_star = field[i] == '*';
    }
    out += field[i];
  }
  return out;
}

// A bracket expression that begins at pattern[at] == '['. Returns the place
// after its ']' and whether `c` is in it; 0 when it has no end (then the
// bracket stands for itself).
std::size_t match_bracket(std::string_view pattern, std::size_t at, char c, bool& is_member) {
  std::size_t i = at + 1;
  const bool negated = i < pattern.size() && pattern[i] == '!';
  if (negated) ++i;
  bool found = false;
  for (bool first = true; i < pattern.size(); first = false) {
    if (pattern[i] == ']' && !first) {
      is_member = found != negated;
      return i + 1;
    }
    if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
    const auto low = static_cast<unsigned char>(pattern[i++]);
    auto high = low;
    if (i + 1 < pattern.size() && pattern[i] == '-' && pattern[i + 1] != ']') {
      ++i;
      if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
      high = static_cast<unsigned char>(pattern[i++]);
    }
    const auto byte = static_cast<unsigned char>(c);
    if (low <= byte && byte <= high) found = true;
  }
  return 0;
}

// One pattern element other than '*' against `c`; the place after it, 0 when
// it does not match.
std::size_t match_one(std::string_view pattern, std::size_t at, char c) {
  switch (pattern[at]) {
    case '?':
      return at + 1;
    case '[': {
      bool is_member = false;
      const std::size_t next = match_bracket(pattern, at, c, is_member);
      if (next != 0) return is_member ? next : 0;
      break;
    }
    case '\\':
      if (at + 1 < pattern.size()) return pattern[at + 1] == c ? at + 2 : 0;
      break;
    default:
      break;
  }
  return pattern[at] == c ? at + 1 : 0;
}

}  // namespace

std::string to_string(const Description& d) {
  return d.provider + ':' + d.module + ':' + d.function + ':' + d.name;
}

std::optional<Pattern> parse_pattern(std::string_view text) {
  std::string_view fields[4];
  std::size_t count = 0;
  for (std::string_view rest = text;; ++count) {
    if (count == 4) return std::nullopt;
    const std::size_t colon = rest.find(':');
    fields[count] = rest.substr(0, colon);
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  ++count;
  // Right-aligned: the last field is always the name.
  Pattern pattern;
  std::string* const places[4] = {&pattern.provider, &pattern.module, &pattern.function,
                                  &pattern.name};
  for (std::size_t i = 0; i < count; ++i) *places[4 - count + i] = without_double_stars(fields[i]);
  pattern.text = text;
  return pattern;
}

std::string to_string(const Pattern& p) {
  if (!p.text.empty()) return p.text;
  return p.provider + ':' + p.module + ':' + p.function + ':' + p.name;
}

// A mismatch after a star is retried with the star one character longer; only
// the last star needs that, so the time is bounded by the product of lengths.
bool glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0;
  std::size_t star = std::string_view::npos, star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      star_text = t;
      continue;
    }
    const std::size_t next = p < pattern.size() ? match_one(pattern, p, text[t]) : 0;
    if (next != 0) {
      p = next;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool is_literal(std::string_view pattern) {
  return pattern.find_first_of(kSpecial) == std::string_view::npos;
}

// Nearly every field differs in its first characters, so they are compared first: a long
// pattern is not looked at as a whole for each of 80,000 probes.
bool field_matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return true;
  std::size_t i = 0;
  for (; i < pattern.size() && kSpecial.find(pattern[i]) == std::string_view::npos; ++i) {
    if (i >= text.size() || pattern[i] != text[i]) return false;
  }
  return i == pattern.size() ? i == text.size() : glob_match(pattern, text);
}

bool matches(const Pattern& pattern, const Description& description) {
  return field_matches(pattern.provider, description.provider) &&
         field_matches(pattern.name, description.name) &&
         field_matches(pattern.function, description.function) &&
         field_matches(pattern.module, description.module);
}

}  // namespace dt::probe
