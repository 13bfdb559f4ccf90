#pragma once
// Aggregations: what is aggregated, and by which keys.

#include <cstddef>
#include <cstdint>

#include "d/check/part.h"
#include "record/aggregation.h"
#include "record/field.h"

namespace dt::d {

struct AggregationInfo;
struct FunctionInfo;

class CallPrototypes;
class Quantizers;
class Tables;

class Aggregations : Part {
 public:
  Aggregations(Context& context, Tables& tables, CallPrototypes& prototypes, Quantizers& quantizers)
      : Part(context), tables_(tables), prototypes_(prototypes), quantizers_(quantizers) {}

  void aggregate(Expr* e);  // @a[keys] = func(args)
  void within(Expr* e);     // @a[keys] as a part of something else, which may refuse it

 private:
  bool aggregating_arguments(Expr* call, const FunctionInfo& info, record::AggParams& params);
  bool matches_first(const Expr* e, const Expr* call, const AggregationInfo& first,
                     record::AggFunc func, const record::AggParams& params);
  bool keys(Expr* e, std::uint32_t index);
  bool merge_key(const Expr* e, std::uint32_t index, std::size_t key);
  record::FieldType key_field(const Expr* e);

  Tables& tables_;
  CallPrototypes& prototypes_;
  Quantizers& quantizers_;
};

}  // namespace dt::d
