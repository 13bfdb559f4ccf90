// See stap_errors.h.

#include "cli/stap_errors.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <tuple>

namespace dt::cli {
namespace {

// "unresolved function foo (similar: bar): identifier 'foo' at x.stp:1:2" is without its place
// "unresolved function foo (similar: bar)", and the name there is foo.
std::string_view without_place(std::string_view line, std::string_view& name) {
  constexpr std::array<std::string_view, 5> kPlaces = {": identifier '", ": operator '",
                                                       ": number '", ": string '", ": keyword at "};
  name = {};
  for (const std::string_view place : kPlaces) {
    const std::size_t at = line.rfind(place);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = line.substr(at + place.size());
    if (place.ends_with("'")) name = rest.substr(0, rest.find('\''));
    return line.substr(0, at);
  }
  return line;
}

// Without 'quotes' and (parentheses).
std::string without_details(std::string_view line) {
  std::string out;
  std::size_t depth = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    // The apostrophe of "don't" is no quote.
    const bool is_letter = i > 0 && std::isalpha(static_cast<unsigned char>(line[i - 1])) != 0;
    if (c == '\'' && (is_quoted || !is_letter)) {
      is_quoted = !is_quoted;
    } else if (c == '(' && !is_quoted) {
      ++depth;
    } else if (c == ')' && depth > 0 && !is_quoted) {
      --depth;
    } else if (depth == 0 && !is_quoted) {
      out += c;
    }
  }
  return out;
}

// The words that are the same in each message of the kind.
std::string common_words(std::string_view line) {
  std::string_view name;
  const std::string_view bare = without_place(line, name);
  std::string out, word;
  const std::string text = without_details(bare) + " ";
  for (const char c : text) {
    if (c != ' ') {
      word += c;
      continue;
    }
    const bool is_type = word == "long" || word == "string" || word == "stats";
    const bool has_digit = std::any_of(word.begin(), word.end(), [](char one) {
      return std::isdigit(static_cast<unsigned char>(one)) != 0;
    });
    const bool is_probe = std::count(word.begin(), word.end(), ':') > 1;  // syscall:vmlinux:read:
    const bool is_name = is_probe || word == name || word == fmt::format("{},", name);
    if (!word.empty() && !is_type && !has_digit && !is_name && !word.starts_with('@'))
      out += word + " ";
    word.clear();
  }
  return out;
}

}  // namespace

std::string kind_of_error(std::string_view text) {
  const std::string_view whole = text;
  std::string out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    // These come from many places of the grammar.
    if (line.starts_with("parse error: expected '") ||
        line.starts_with("parse error: incomplete ")) {
      return std::string(whole);
    }
    if (line.starts_with("parse error: ") || line.starts_with("semantic error: ")) {
      out += common_words(line) + "\n";
    }
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return out;
}

ShownErrors shown_errors(std::span<const dtrace::Diagnostic> all, std::size_t total,
                         bool is_verbose, bool has_warnings) {
  ShownErrors out;
  std::set<std::string> kinds;
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t>> places;
  std::set<std::string_view> texts;  // an equal one is no other message
  std::size_t shown = 0, equal = 0;
  for (const dtrace::Diagnostic& one : all) {
    if (one.tag != "warning") continue;
    if (has_warnings) out.text += one.text;
    ++equal;
  }
  for (const dtrace::Diagnostic& one : all) {
    if (one.tag == "warning") continue;
    if (!texts.insert(one.text).second) {
      ++equal;
      continue;
    }
    std::string kind = kind_of_error(one.text);
    std::tuple place(one.file, one.line, one.column);
    // A pattern may give hundreds of points at which the same is wrong.
    const bool is_new_place = !places.contains(place);
    const bool is_new =
        !kinds.contains(kind) && (is_new_place || !one.text.starts_with("semantic error"));
    if (!is_new && !is_verbose) continue;
    // What is not shown hides no other error.
    kinds.insert(std::move(kind));
    places.insert(std::move(place));
    out.text += one.text + "\n";  // with the empty line that ends it
    ++shown;
  }
  if (const std::size_t rest = total - shown - equal; rest > 0) {
    out.rest = fmt::format("Number of similar error messages suppressed: {}.\n{}", rest,
                           is_verbose ? "" : "Rerun with -v to see them.\n");
  }
  return out;
}

}  // namespace dt::cli
