#pragma once
// The parameters of lquantize() and llquantize().

#include "d/check/part.h"
#include "record/aggregation.h"

namespace dt::d {

class Quantizers : Part {
 public:
  explicit Quantizers(Context& context) : Part(context) {}

  void lquantize(const Expr* call, record::AggParams& params);
  void llquantize(const Expr* call, record::AggParams& params);

 private:
  bool llquantize_numbers(const Expr* call, record::AggParams& params);
};

}  // namespace dt::d
