#pragma once
// clear(), trunc(), normalize() and denormalize().

#include <cstdint>

#include "d/check/part.h"

namespace dt::d {

enum class Fn : std::uint8_t;

class Tables;

class AggregationActions : Part {
 public:
  AggregationActions(Context& context, Tables& tables) : Part(context), tables_(tables) {}

  void check(Expr* e, Fn fn);

 private:
  Tables& tables_;
};

}  // namespace dt::d
