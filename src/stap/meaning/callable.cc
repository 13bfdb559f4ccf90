// See callable.h.

#include "stap/meaning/callable.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "stap/syntax/foreign_words.h"
#include "stap/syntax/similar.h"

namespace dt::stap {
namespace {

std::string takes(const Expr& call, std::size_t parameters) {
  return fmt::format("arity mismatch found (function '{}' takes {} args)", call.text, parameters);
}

std::string no_function(const Program& program, const Expr& call) {
  for (const auto& one : program.script.functions) {
    if (one->name == call.text) return takes(call, one->parameters.size());
  }
  if (const std::string_view why = why_no_function(call.text); !why.empty()) {
    return fmt::format("function '{}' is not available: {}", call.text, why);
  }
  std::vector<std::string_view> names;
  const auto add = [&](std::string_view name) {
    if (!name.starts_with("__")) names.push_back(name);
  };
  for (std::size_t i = 0; i < function_count(); ++i) add(info(static_cast<Fn>(i)).name);
  for (const auto& one : program.script.functions) add(one->name);
  const std::vector<std::string> library = program.around.library_functions
                                               ? program.around.library_functions()
                                               : std::vector<std::string>();
  for (const std::string& one : library) add(one);
  return fmt::format("unresolved function {}{}", call.text, similar(call.text, names));
}

}  // namespace

std::string wrong_arity(const FunctionInfo& function, const Expr& call) {
  std::size_t least = 0, most = 0;
  bool is_optional = false;
  for (const char c : function.parameters) {
    if (c == '?') {
      is_optional = true;
    } else {
      ++most;
      least += is_optional ? 0 : 1;
    }
  }
  const bool fits = call.kids.size() >= least && call.kids.size() <= most;
  return fits ? std::string() : takes(call, most);
}

bool is_function(const Program& program, const std::string& name) {
  return find_function(name) >= 0 ||
         std::any_of(program.script.functions.begin(), program.script.functions.end(),
                     [&](const auto& one) { return one->name == name; });
}

std::string hint_of_variable(const Program& program, const std::string& name, bool is_return) {
  if (std::string hint = hint_of_word(name, is_return); !hint.empty()) return hint;
  const bool is_of_library =
      program.around.is_library_function && program.around.is_library_function(name);
  return is_of_library || is_function(program, name) ? fmt::format("here it is {}()", name) : "";
}

void report_no_function(const Program& program, const Expr& call, Messages& messages) {
  // With the place of a function of that name that takes other arguments.
  const auto& all = program.script.functions;
  const auto other =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one->name == call.text; });
  messages.semantic_error(no_function(program, call), call.place, {},
                          other != all.end() ? (*other)->span : Span());
}

}  // namespace dt::stap
