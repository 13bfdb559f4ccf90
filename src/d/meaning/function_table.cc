// Look-up of D's functions and built-in variables.

#include "d/meaning/function_table.h"

#include <unordered_map>

#include "d/syntax/characters.h"

namespace dt::d {
namespace {

constexpr FunctionInfo kFunctions[] = {
#define DT_FUNCTION(id, name, kind, since, prototype, supported) \
  {Fn::id, name, FunctionKind::kind, since, prototype, supported},
#include "d/meaning/functions.def"
#undef DT_FUNCTION
};

}  // namespace

bool makes_address_text(Fn fn) {
  return fn == Fn::kInetNtoa || fn == Fn::kInetNtoa6 || fn == Fn::kInetNtop || fn == Fn::kLinkNtop;
}

const FunctionInfo& function_info(Fn fn) { return kFunctions[static_cast<std::size_t>(fn)]; }

const FunctionInfo* find_function(std::string_view name) {
  static const auto* const table = [] {
    auto* map = new std::unordered_map<std::string_view, const FunctionInfo*>();
    for (const FunctionInfo& info : kFunctions) {
      map->emplace(info.name, &info);
    }
    return map;
  }();
  const auto found = table->find(name);
  return found == table->end() ? nullptr : found->second;
}

const std::vector<BuiltinInfo>& builtin_table() {
  static const std::vector<BuiltinInfo> table = {
#define DT_VARIABLE(name, since, type, builtin, number) \
  {name, since, type, ir::Builtin::builtin, number, Derived::kNone},
#define DT_VARIABLE_DERIVED(name, since, type, derived) \
  {name, since, type, ir::Builtin::kArg, 0, Derived::derived},
#define DT_VARIABLE_UNSUPPORTED(name, since) \
  {name, since, nullptr, ir::Builtin::kArg, 0, Derived::kNone},
#include "d/meaning/variables.def"
#undef DT_VARIABLE
#undef DT_VARIABLE_DERIVED
#undef DT_VARIABLE_UNSUPPORTED
  };
  return table;
}

std::optional<std::uint32_t> find_builtin(std::string_view name) {
  static const auto* const table = [] {
    auto* map = new std::unordered_map<std::string_view, std::uint32_t>();
    const std::vector<BuiltinInfo>& all = builtin_table();
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      map->emplace(all[i].name, i);
    }
    return map;
  }();
  const auto found = table->find(name);
  if (found == table->end()) {
    return std::nullopt;
  }
  return found->second;
}

Prototype parse_prototype(std::string_view text) {
  Prototype out;
  const std::size_t open = text.find('(');
  out.result = trim(text.substr(0, open));
  std::string_view rest = text.substr(open + 1, text.size() - open - 2);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    std::string_view part = trim(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    if (part == "...") {
      out.variadic = true;
    } else if (part.front() == '[') {
      out.parameters.push_back(part.substr(1, part.size() - 2));
    } else {
      out.parameters.push_back(part);
      ++out.required;
    }
  }
  return out;
}

}  // namespace dt::d
