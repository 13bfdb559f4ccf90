// See accumulations.h.

#include "stap/meaning/accumulations.h"

namespace dt::stap {

record::AggFunc function_of(Accumulated::Words words) {
  switch (words) {
    case Accumulated::Words::kCount:
      return record::AggFunc::kCount;
    case Accumulated::Words::kSum:
      return record::AggFunc::kSum;
    case Accumulated::Words::kAverage:
      return record::AggFunc::kAvg;
    case Accumulated::Words::kDeviation:
      return record::AggFunc::kStddev;
    case Accumulated::Words::kMin:
    case Accumulated::Words::kBirth:
      return record::AggFunc::kMin;
    case Accumulated::Words::kMax:
      return record::AggFunc::kMax;
    case Accumulated::Words::kLog:
      return record::AggFunc::kQuantize;
    case Accumulated::Words::kLinear:
      return record::AggFunc::kLquantize;
  }
  return record::AggFunc::kCount;
}

}  // namespace dt::stap
