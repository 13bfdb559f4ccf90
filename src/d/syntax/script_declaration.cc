// See script_declaration.h.

#include "d/syntax/script_declaration.h"

#include <fmt/core.h>

#include <algorithm>

#include "d/syntax/characters.h"

namespace dt::d {
namespace {

using front::ScriptOption;
using front::ScriptValue;

struct TypeWord {
  std::string_view word;
  ScriptOption::Type type;
};
constexpr TypeWord kTypes[] = {
    {"int", ScriptOption::Type::kInt},         {"string", ScriptOption::Type::kString},
    {"bool", ScriptOption::Type::kBool},       {"time", ScriptOption::Type::kTime},
    {"size", ScriptOption::Type::kSize},       {"process", ScriptOption::Type::kProcess},
    {"user", ScriptOption::Type::kUser},       {"signal", ScriptOption::Type::kSignal},
    {"error", ScriptOption::Type::kError},     {"uint", ScriptOption::Type::kUint},
    {"count", ScriptOption::Type::kCount},     {"port", ScriptOption::Type::kPort},
    {"period", ScriptOption::Type::kPeriod},   {"disk", ScriptOption::Type::kDisk},
    {"device", ScriptOption::Type::kDevice},   {"filesystem", ScriptOption::Type::kFileSystem},
    {"service", ScriptOption::Type::kService}, {"terminal", ScriptOption::Type::kTerminal}};

// "int, string or bool".
std::string words_of_types() {
  std::string out;
  for (const TypeWord& one : kTypes) {
    const bool is_last = &one + 1 == std::end(kTypes);
    out += (out.empty() ? "" : is_last ? " or " : ", ") + std::string(one.word);
  }
  return out;
}

Error wrong(std::string text) { return Error::of(std::move(text)); }

bool is_word(std::string_view text) {
  return !text.empty() && is_name_start(text[0]) && std::all_of(text.begin(), text.end(), is_name);
}

// Cuts the first word off; a quoted text is one.
std::string_view take_quoted_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  bool quoted = false;
  std::size_t end = 0;
  for (; end < text.size() && (quoted || text[end] != ' '); ++end) {
    quoted = quoted != (text[end] == '"');
  }
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return word;
}

std::string_view unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

Result<ScriptOption> parse_script_option(std::string_view rest, bool is_flag) {
  ScriptOption out;
  if (is_flag) {
    const std::string_view letter = take_quoted_word(rest);
    if (letter.size() != 1 || !is_name(letter[0]) || letter[0] == '_') {
      return wrong(fmt::format("a flag has one letter, not '{}'", letter));
    }
    if (letter == "h") {
      return wrong("-h shows how the script is used");
    }
    out.letter = letter[0];
  }
  out.name = take_quoted_word(rest);
  if (!is_word(out.name)) {
    return wrong(fmt::format("a name must follow, not '{}'", out.name));
  }
  const std::string_view declared = take_quoted_word(rest);
  const std::size_t equals = std::min(declared.find('='), declared.size());
  const std::string_view word = declared.substr(0, equals);
  const auto* const type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                        [word](const TypeWord& one) { return one.word == word; });
  if (type == std::end(kTypes)) {
    return wrong(
        fmt::format("the type of {} must be {}, not '{}'", out.name, words_of_types(), word));
  }
  out.type = type->type;
  if (out.type == ScriptOption::Type::kBool && (!is_flag || equals < declared.size())) {
    return wrong(is_flag ? "a flag of type bool is 0 unless it is given"
                         : "only a flag can be of type bool: #pragma D flag LETTER NAME bool HELP");
  }
  if (equals < declared.size()) {
    out.fallback = unquoted(declared.substr(equals + 1));
    if (const Result<ScriptValue> value = script_value(out, out.fallback); !value.ok()) {
      return value.error();
    }
  }
  out.help = rest;
  return out;
}

}  // namespace dt::d
