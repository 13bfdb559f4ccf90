#pragma once
// The order of an aggregation's elements, and of rows of several.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "consumer/aggregation/aggregate.h"
#include "consumer/aggregation/rows.h"
#include "consumer/output/options.h"
#include "consumer/value/value.h"

namespace dt::consumer {

class AggregationOrder {
 public:
  // All references must outlive this. `fields` gives the names that keys are ordered by.
  AggregationOrder(FieldText& fields, const Options& options)
      : fields_(fields), options_(options) {}

  // All elements, ascending by value and then by key.
  std::vector<PlacedRow> by_value(const Aggregate& aggregate) const;
  // The rows in DTrace's order: by value and then by key, or the other way round (`is_by_key`).
  // Options choose the position of the value or key that counts first; the others follow in a
  // circle.
  std::vector<PlacedRow> ascending(const AggregationRows& rows, bool is_by_key) const;
  // The rows that are printed, in their order.
  std::vector<PlacedRow> sorted(const AggregationRows& rows) const;

 private:
  // -1, 0, 1
  int compare_keys(const RowKey& a, const RowKey& b, std::size_t first) const;
  int compare_values(const Value& a, const Value& b) const;

  FieldText& fields_;
  const Options& options_;
};

}  // namespace dt::consumer
