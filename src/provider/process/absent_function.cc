// See absent_function.h.

#include "provider/process/absent_function.h"

#include <fmt/core.h>

#include <algorithm>

#include "support/nearest.h"

namespace dt::provider {
namespace {

// What the compiler has made of it, with other arguments: "f.constprop.0", "f.isra.0".
std::string variant_of(const std::string& name, const std::set<std::string>& functions) {
  const std::string begin = name + ".";
  for (auto at = functions.lower_bound(begin); at != functions.end() && at->starts_with(begin);
       ++at) {
    if (!at->ends_with(".cold")) return *at;
  }
  return {};
}

}  // namespace

std::string hint_for_absent(const std::string& name, const std::set<std::string>& functions,
                            const types::Catalog& types, const std::set<std::string>& modules) {
  if (const std::string variant = variant_of(name, functions); !variant.empty()) {
    return fmt::format("the compiler has made '{}' of it, which may have other arguments", variant);
  }
  const auto defines = [&](const std::string& module) {
    const auto object = types.find_object(name, module);
    return object && types.resolved(object->type).kind == types::Kind::kFunction;
  };
  if (std::any_of(modules.begin(), modules.end(), defines)) {
    return "it is in the source only: the compiler has put its code into the functions that call "
           "it";
  }
  const std::string near = support::nearest(name, {functions.begin(), functions.end()});
  return support::did_you_mean(near);
}

std::string no_return_of_linkage(const std::string& name) {
  const std::string function = name.substr(0, name.rfind('@'));
  return fmt::format(
      "'{}' does not return: it jumps to '{}', which returns to the caller; the probe '{}:return' "
      "of the object that has the function is meant",
      name, function, function);
}

}  // namespace dt::provider
