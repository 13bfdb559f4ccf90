// Where the keys of aggregations lie, and the names of their functions.

#include "record/aggregation.h"

#include "support/check.h"

namespace dt::record {

bool is_histogram(AggFunc func) {
  return func == AggFunc::kQuantize || func == AggFunc::kLquantize || func == AggFunc::kLlquantize;
}

const char* agg_func_name(AggFunc func) {
  switch (func) {
    case AggFunc::kCount:
      return "count";
    case AggFunc::kSum:
      return "sum";
    case AggFunc::kAvg:
      return "avg";
    case AggFunc::kMin:
      return "min";
    case AggFunc::kMax:
      return "max";
    case AggFunc::kStddev:
      return "stddev";
    case AggFunc::kQuantize:
      return "quantize";
    case AggFunc::kLquantize:
      return "lquantize";
    case AggFunc::kLlquantize:
      return "llquantize";
  }
  DT_UNREACHABLE("aggregating function {}", static_cast<unsigned>(func));
}

void place_keys(AggLayout& layout) { layout.key_bytes = place(layout.keys, 0); }

}  // namespace dt::record
