#pragma once
// What the program defines: variables, aggregations, enumerators.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "d/check/checked.h"
#include "d/check/part.h"
#include "ir/ir.h"

namespace dt::d {

struct EnumeratorValue {
  std::uint64_t value = 0;  // as the bits of its type
  types::TypeId type;
};

class Tables : Part {
 public:
  explicit Tables(Context& context) : Part(context) {}

  std::optional<std::uint32_t> find_variable(std::string_view name, ir::Scope scope) const;
  // Makes a variable; its index.
  std::uint32_t define_variable(std::string name, ir::Scope scope, TypeId type, Span span);
  // What would have made a variable is wrong: its uses are not reported until something makes it.
  void set_unknown(const std::string& name, ir::Scope scope);
  bool is_unknown(const std::string& name, ir::Scope scope) const;
  // Makes it an associative array.
  void set_keys(std::uint32_t variable, std::vector<TypeId> keys);
  VariableInfo& variable(std::uint32_t index) { return checked_.variables[index]; }
  std::vector<std::string_view> variable_names(ir::Scope scope) const;

  std::optional<std::uint32_t> find_aggregation(const std::string& name) const;
  // The index of the aggregation of this name, which is made when there is none. Where its
  // function is wrong it has none: its uses are not reported.
  std::uint32_t aggregation_named(const std::string& name);
  // Whether the keys of one can be those of the other, so that they can be joined.
  bool have_same_keys(std::uint32_t a, std::uint32_t b) const;
  // Both are printed side by side: text of one is compared with text of the other.
  void join_keys(std::uint32_t a, std::uint32_t b) { joined_.emplace_back(a, b); }
  // The part of a probe's name in a key is a string where strings are joined with it.
  void settle_keys();
  AggregationInfo& aggregation(std::uint32_t index) { return checked_.aggregations[index]; }

  // False when the name is taken.
  bool define_enumerator(const std::string& name, EnumeratorValue value);
  void set_enumerator_type(const std::string& name, TypeId type);
  const EnumeratorValue* find_enumerator(const std::string& name) const;
  std::vector<std::string_view> enumerator_names() const;

  void add_flow(StringFlow flow) { checked_.flows.push_back(flow); }
  void add_address_flow(AddressFlow flow) { checked_.address_flows.push_back(flow); }
  // The place of the next clause's stability, and what is at this place.
  std::size_t add_stability() {
    checked_.stability.emplace_back();
    return checked_.stability.size() - 1;
  }
  void set_stability(std::size_t place, front::ClauseStability one) {
    checked_.stability[place] = std::move(one);
  }

  // Gives up what was collected.
  Checked take() { return std::move(checked_); }

 private:
  Checked checked_;
  std::unordered_map<std::string, std::uint32_t> variables_[3];  // by ir::Scope
  std::unordered_set<std::string> unknown_[3];
  std::unordered_map<std::string, std::uint32_t> aggregations_;
  std::unordered_map<std::string, EnumeratorValue> enumerators_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> joined_;  // aggregations
};

}  // namespace dt::d
