#pragma once
// clear(), trunc(), normalize() and denormalize(). trunc() also of several, joined on their keys.

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
  bool is_aggregation(Expr* e, Expr* target, Fn fn);
  void truncate_join(Expr* e);

  Tables& tables_;
};

}  // namespace dt::d
