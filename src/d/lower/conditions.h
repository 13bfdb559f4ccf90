#pragma once
// Conditions, and what depends on them.

#include <cstdint>
#include <optional>

#include "d/lower/part.h"

namespace dt::d::lowering {

class Capacities;
class StringValues;

class Conditions : Part {
 public:
  // What the arms of ?: are.
  enum class Arms : std::uint8_t { kRegisters, kStrings, kBytes };

  Conditions(Context& context, StringValues& string_values, Capacities& capacities)
      : Part(context), string_values_(string_values), capacities_(capacities) {}

  // Branches.
  void condition(const Expr* e, ir::BlockId then, ir::BlockId otherwise);
  // Whether it holds, if that is so whatever a firing finds, and to evaluate it does nothing else:
  // `0 && x`, `$name != "" && x` of an option that is not set, `n || 1`.
  std::optional<bool> known(const Expr* e) const;
  // 0 or not.
  ValueId truth(const Expr* e);  // 0 or not
  // && || ^^ as a value.
  ValueId logical(const Expr* e);
  // ?:
  ValueId ternary(const Expr* e, Arms arms);

 private:
  StringValues& string_values_;
  Capacities& capacities_;
};

}  // namespace dt::d::lowering
