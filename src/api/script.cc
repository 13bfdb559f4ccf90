// What scripts declare for themselves: dtrace/script.h.

#include "dtrace/script.h"

#include <utility>

#include "api/language/d_language.h"
#include "api/output/convert.h"
#include "front/script_option.h"

namespace dtrace {
namespace {

using Type = ScriptOption::Type;

dt::front::ScriptOption inner(const ScriptOption& option) {
  dt::front::ScriptOption out;
  out.letter = option.letter;
  out.name = option.name;
  out.type = static_cast<dt::front::ScriptOption::Type>(option.type);
  return out;
}

static_assert(static_cast<int>(Type::kTerminal) ==
                  static_cast<int>(dt::front::ScriptOption::Type::kTerminal) &&
              static_cast<int>(Type::kBool) ==
                  static_cast<int>(dt::front::ScriptOption::Type::kBool));

std::vector<ScriptOption> given_options(std::vector<dt::front::ScriptOption> options) {
  std::vector<ScriptOption> out;
  for (dt::front::ScriptOption& option : options) {
    out.push_back({option.letter, std::move(option.name), static_cast<Type>(option.type),
                   std::move(option.fallback), std::move(option.help)});
  }
  return out;
}

}  // namespace

Status ScriptOption::check(std::string_view text) const {
  if (text.empty() && !dt::front::is_string(inner(*this).type)) {
    return Error{"a value is missing", 0, "", "", ""};
  }
  if (const auto value = dt::front::script_value(inner(*this), text); !value.ok()) {
    return dt::api::given(value.error());
  }
  return {};
}

ScriptUsage script_usage(std::string_view text) {
  dt::front::ScriptUsage read = dt::api::read_d_script_usage(text);
  ScriptUsage out;
  out.summary = std::move(read.summary);
  out.flags = given_options(std::move(read.flags));
  out.arguments = given_options(std::move(read.arguments));
  for (auto& example : read.examples) {
    out.examples.push_back({std::move(example.command), std::move(example.help)});
  }
  out.positional = read.positional;
  out.uses_target = read.uses_target;
  out.has_providers = read.has_providers;
  out.comment = std::move(read.comment);
  return out;
}

std::string description_of_bcc(std::string_view pattern, bool is_function) {
  return dt::api::bcc_in_d(pattern, is_function);
}

}  // namespace dtrace
