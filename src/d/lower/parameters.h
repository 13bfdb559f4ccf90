#pragma once
// Uses of inlines and translators: the arguments, once, then the body.

#include <cstdint>
#include <unordered_map>

#include "d/lower/part.h"

namespace dt::d::lowering {

class Parameters : Part {
 public:
  explicit Parameters(Context& context) : Part(context) {}

  // What stands for `e`, a use, with its parameters computed.
  const Expr* unfold(const Expr* e);
  // Whether a translated thing is there: only a pointer or a number can be NULL.
  ValueId translated_truth(const Expr* e);
  // What the parameter of this slot is bound to.
  ValueId at(std::uint32_t slot) const { return bound_.at(slot); }

 private:
  // What a translated thing is made of; what is in the way is computed. It may be a parameter, to
  // which that is bound.
  const Expr* origin(const Expr* e);
  void bind(std::uint32_t slot, const Expr* argument);

  std::unordered_map<std::uint32_t, ValueId> bound_;  // by slot
};

}  // namespace dt::d::lowering
