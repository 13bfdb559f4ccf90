// See variable_outcomes.h.

#include "stap/variable_outcomes.h"

#include <algorithm>
#include <optional>

#include "stap/home/histogram.h"
#include "stap/home/unread.h"
#include "support/clock.h"
#include "support/shown.h"

namespace dt::stap {

using record::AggFunc;

// The address to which a call returns may be that of the next function, so the byte before it is
// looked up.
front::OutcomeValue VariableOutcomes::outcome_value(const Value& value, Type type) const {
  front::OutcomeValue out{type == Type::kString, value.number, value.text};
  const NotedStacks::Stack* const stack =
      out.is_text ? machine_.stacks().find(value.text) : nullptr;
  if (stack == nullptr) return out;
  out.is_kernel = !stack->is_user;
  for (const std::uint64_t address : stack->addresses) {
    const std::uint64_t asked = out.frames.empty() ? address : address - 1;
    const auto& user = outlet_.user_name;
    const auto& kernel = outlet_.kernel_name;
    const std::optional<front::Session::Named> named =
        stack->is_user ? (user ? user(stack->pid, asked) : std::nullopt)
        : kernel       ? kernel(asked)
                       : std::nullopt;
    if (named) {
      out.frames.push_back({named->module, named->function, named->offset + (address - asked)});
    } else {
      out.frames.push_back({"", "", address});
    }
  }
  return out;
}

front::Outcome VariableOutcomes::outcome_of(const Symbol& symbol, const std::vector<Value>& keys,
                                            const Value& value, const Statistics& s) const {
  front::Outcome made;
  made.kind = front::Outcome::Kind::kVariable;
  made.by.time_ns = support::now_ns(CLOCK_REALTIME);
  made.text = symbol.name;
  made.is_counted = !symbol.is_set;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    made.keys.push_back(outcome_value(keys[i], symbol.keys[i]));
  }
  if (symbol.type == Type::kStats) {
    const std::int64_t average = s.count == 0 ? 0 : s.average();
    made.statistics = {s.count, s.sum, s.min, s.max, average};
  } else {
    made.value = outcome_value(value, symbol.type);
  }
  return made;
}

// If pictures show histograms of the variable, adds them.
void VariableOutcomes::add_histograms(const Symbol& symbol, const Statistics& s,
                                      front::Outcome& to) const {
  const auto found = std::ranges::find(watched_.symbols, &symbol);
  if (found == watched_.symbols.end()) return;
  const auto at = static_cast<std::size_t>(found - watched_.symbols.begin());
  for (const AggFunc function : watched_.variables[at].functions) {
    const bool is_linear = function == AggFunc::kLquantize;
    if (is_linear && s.bounds.empty()) continue;
    if (is_linear || function == AggFunc::kQuantize) {
      to.histograms.push_back(histogram_of(s, is_linear));
    }
  }
}

void VariableOutcomes::read(std::uint32_t variable, const Visit& visit) {
  const Symbol& symbol = *watched_.symbols[variable];
  const auto give = [&](const std::vector<Value>& keys, const Value& value, const Statistics& s) {
    front::Outcome made = outcome_of(symbol, keys, value, s);
    add_histograms(symbol, s, made);
    visit(made);
  };
  Global& global = machine_.global(symbol);
  if (symbol.keys.empty()) return give({}, global.value, global.statistics);
  for (const Element& one : global.array.elements()) give(one.keys, one.value, one.statistics);
}

void VariableOutcomes::tell_all() {
  if (program_.prints_unread) {
    each_unread(
        program_.script,
        [this](const Symbol& symbol) -> Global& { return machine_.global(symbol); },
        [&](const Symbol& symbol, const std::vector<Value>& keys, const Value& value,
            const Statistics& s) {
          front::Outcome made = outcome_of(symbol, keys, value, s);
          if (!outcomes_.tells())
            return outlet_.write(support::shown_text(front::variable_text(made)));
          add_histograms(symbol, s, made);
          outlet_.tell(made);
        });
  }
  for (std::uint32_t i = 0; outcomes_.tells() && i < watched_.symbols.size(); ++i) {
    if (!watched_.is_asked[i]) continue;
    read(i, [this](const front::Outcome& value) {
      front::Outcome made = value;
      made.is_asked = true;
      outlet_.tell(made);
    });
  }
}

}  // namespace dt::stap
