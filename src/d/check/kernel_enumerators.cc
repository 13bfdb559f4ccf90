// The kernel is compiled from many files, and C lets each file have an enumerator of the same name.
// Mostly they are copies with one value; where the values differ, the name alone means nothing.

#include "d/check/kernel_enumerators.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "d/check/fold.h"
#include "support/nearest.h"

namespace dt::d {

namespace {

// A file can have many enumerations: the hint names some of them.
constexpr std::size_t kPlacesShown = 4;

std::string_view module_of(const Expr* e) {
  return e->module.empty() ? std::string_view("vmlinux") : std::string_view(e->module);
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

}  // namespace

bool KernelEnumerators::is_plain_name(const Expr* e) {
  return std::any_of(e->text.begin(), e->text.end(), is_capital) &&
         std::all_of(e->text.begin(), e->text.end(),
                     [](char c) { return is_capital(c) || c == '_' || (c >= '0' && c <= '9'); });
}

// The enumeration; without a name, the integer that it is, as for those of the script.
types::TypeId KernelEnumerators::type_of(const types::EnumeratorPlace& place) const {
  const types::Type& type = world_.types.resolved(place.enumeration);
  if (!type.name.empty()) {
    return place.enumeration;
  }
  const bool is_int = place.value >= INT32_MIN && place.value <= INT32_MAX;
  return is_int ? rules_.int_type() : world_.types.integer(std::max(type.size, 4u), type.is_signed);
}

// Those in small letters are many, and in a script each is more likely a variable: such a name is
// suggested when it is one exactly.
std::string KernelEnumerators::suggestion(const Expr* e) const {
  const std::vector<std::string_view> names = world_.types.enumerator_names(module_of(e));
  const bool is_scoped = e->kind == ExprKind::kScoped;
  if (is_scoped || is_plain_name(e)) {
    const std::string near = support::nearest(e->text, names);
    return near.empty() ? near : fmt::format("{}{}{}", e->module, is_scoped ? "`" : "", near);
  }
  return std::find(names.begin(), names.end(), e->text) == names.end() ? "" : "`" + e->text;
}

bool KernelEnumerators::resolve(Expr* e) {
  const std::string_view module = module_of(e);
  const std::vector<types::EnumeratorPlace> places = world_.types.find_enumerators(e->text, module);
  if (places.empty()) {
    return false;
  }
  std::string differing;
  std::vector<std::int64_t> values;
  for (const types::EnumeratorPlace& place : places) {
    if (std::find(values.begin(), values.end(), place.value) != values.end()) {
      continue;
    }
    values.push_back(place.value);
    if (values.size() <= kPlacesShown) {
      const types::Type& type = world_.types.resolved(place.enumeration);
      differing += fmt::format("{}{} in {}", differing.empty() ? "" : ", ", place.value,
                               type.name.empty() ? "one without a name" : "enum " + type.name);
    }
  }
  if (values.size() > 1) {
    const std::string tick = e->kind == ExprKind::kScoped ? "`" : "";
    diagnostics_
        .error("D_IDENT_AMBIG", e->span,
               fmt::format("{}{}{} is ambiguous: enumerations of {} give it different values",
                           e->module, tick, e->text, module))
        .hint = fmt::format("write the number: {}{}", differing,
                            values.size() > kPlacesShown ? ", and others" : "");
    return true;
  }
  e->symbol = Symbol::kKernelEnumerator;
  set_constant(e, static_cast<std::uint64_t>(values[0]), type_of(places[0]), rules_);
  return true;
}

}  // namespace dt::d
