#pragma once
// Variables: loads and stores of whole ones.

#include <cstdint>
#include <vector>

#include "d/lower/part.h"

namespace dt::ir {
struct Variable;
}

namespace dt::d::lowering {

class Variables : Part {
 public:
  explicit Variables(Context& context) : Part(context) {}

  // The keys of an element; none for a scalar.
  std::vector<ValueId> keys_of(const Expr* e);
  ValueId load(const Expr* e);
  void store(std::uint32_t variable, std::vector<ValueId> keys, ValueId value);
  // Whether += on it must be right beside other CPUs, and can be: globals, and elements of arrays
  // (where it also saves a look-up).
  bool atomic(const ir::Variable& variable, types::TypeId type) const;
  // What a variable of the type holds when this is stored: all 64 bits of an integer.
  ValueId kept(ValueId value, types::TypeId type);
};

}  // namespace dt::d::lowering
