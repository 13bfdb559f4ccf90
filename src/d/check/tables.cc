#include "d/check/tables.h"

#include <fmt/core.h>

#include "d/check/field_type.h"
#include "d/check/scope.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/ir.h"
#include "support/diagnostics.h"

namespace dt::d {

namespace {

// Of all scopes, as many as D numbers.
constexpr std::uint32_t kMaxVariables = 0xffff - 0x500;

template <typename Map>
std::vector<std::string_view> names_of(const Map& map) {
  std::vector<std::string_view> out;
  for (const auto& [name, value] : map) {
    out.push_back(name);
  }
  return out;
}

}  // namespace

std::optional<std::uint32_t> Tables::find_variable(std::string_view name, ir::Scope scope) const {
  const auto& table = variables_[static_cast<std::size_t>(scope)];
  const auto found = table.find(std::string(name));
  if (found == table.end()) {
    return std::nullopt;
  }
  return found->second;
}

std::uint32_t Tables::define_variable(std::string name, ir::Scope scope, TypeId type, Span span) {
  const auto id = static_cast<std::uint32_t>(checked_.variables.size());
  if (id == kMaxVariables) {
    error("D_ID_OFLOW", span,
          fmt::format("cannot create {}: limit on number of variables exceeded", name))
        .hint = fmt::format("a program has {} at most", kMaxVariables);
  }
  variables_[static_cast<std::size_t>(scope)].emplace(name, id);
  VariableInfo info;
  info.name = std::move(name);
  info.scope = scope;
  info.type = type;
  info.declared = span;
  checked_.variables.push_back(std::move(info));
  return id;
}

void Tables::set_unknown(const std::string& name, ir::Scope scope) {
  if (!scope_.in_library) {  // a library that is wrong is left out
    unknown_[static_cast<std::size_t>(scope)].insert(name);
  }
}

bool Tables::is_unknown(const std::string& name, ir::Scope scope) const {
  return unknown_[static_cast<std::size_t>(scope)].contains(name);
}

void Tables::set_keys(std::uint32_t variable, std::vector<TypeId> keys) {
  VariableInfo& info = checked_.variables[variable];
  info.is_array = true;
  for (const TypeId key : keys) {
    info.registers.push_back(rules_.ir_type(key));
  }
  info.keys = std::move(keys);
}

std::vector<std::string_view> Tables::variable_names(ir::Scope scope) const {
  return names_of(variables_[static_cast<std::size_t>(scope)]);
}

std::optional<std::uint32_t> Tables::find_aggregation(const std::string& name) const {
  const auto found = aggregations_.find(name);
  return found == aggregations_.end() ? std::nullopt : std::optional(found->second);
}

std::uint32_t Tables::aggregation_named(const std::string& name) {
  const auto [found, fresh] =
      aggregations_.emplace(name, static_cast<std::uint32_t>(checked_.aggregations.size()));
  if (fresh) {
    AggregationInfo info;
    info.name = name;
    checked_.aggregations.push_back(std::move(info));
  }
  return found->second;
}

bool Tables::have_same_keys(std::uint32_t a, std::uint32_t b) const {
  const std::vector<AggregationKey>& left = checked_.aggregations[a].keys;
  const std::vector<AggregationKey>& right = checked_.aggregations[b].keys;
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const AggregationKey& one, const AggregationKey& other) {
                      const record::FieldType& x = one.field;
                      const record::FieldType& y = other.field;
                      return (is_text_field(x.kind) && is_text_field(y.kind)) ||
                             (x.kind == y.kind && (x.kind != record::FieldKind::kInt || x == y));
                    });
}

// Keys only ever become strings, so this ends.
void Tables::settle_keys() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [first, second] : joined_) {
      std::vector<AggregationKey>& a = aggregation(first).keys;
      std::vector<AggregationKey>& b = aggregation(second).keys;
      for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        const bool differ = a[i].field.kind != b[i].field.kind;
        if (!differ || !is_text_field(a[i].field.kind) || !is_text_field(b[i].field.kind)) {
          continue;
        }
        a[i].field = b[i].field = {record::FieldKind::kString, world_.string_size, false};
        changed = true;
      }
    }
  }
}

bool Tables::define_enumerator(const std::string& name, EnumeratorValue value) {
  return enumerators_.emplace(name, value).second;
}

void Tables::set_enumerator_type(const std::string& name, TypeId type) {
  enumerators_.at(name).type = type;
}

const EnumeratorValue* Tables::find_enumerator(const std::string& name) const {
  const auto found = enumerators_.find(name);
  return found == enumerators_.end() ? nullptr : &found->second;
}

std::vector<std::string_view> Tables::enumerator_names() const { return names_of(enumerators_); }

}  // namespace dt::d
