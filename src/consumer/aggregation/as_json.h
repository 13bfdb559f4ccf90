#pragma once
// Aggregations as JSON: lines, one for each key; and FreeBSD's objects, one for each aggregation.

#include "consumer/aggregation/aggregations.h"
#include "consumer/aggregation/order.h"
#include "consumer/output/options.h"
#include "consumer/output/page.h"
#include "consumer/value/value.h"
#include "support/json.h"

namespace dt::consumer {

class AggregationJson {
 public:
  using Indices = Aggregations::Indices;

  // All references must outlive this. `sources` name the keys.
  AggregationJson(Aggregations& aggregations, FieldText& fields, const Options& options,
                  const Sources& sources)
      : aggregations_(aggregations), fields_(fields), sources_(sources), order_(fields, options) {}

  void print_lines(Page& page, Indices indices);
  // Every aggregation that no printa() showed.
  void print_rest_lines(Page& page);
  // Within an array.
  void write_objects(support::Json& output, Indices indices);

 private:
  void append_line(Page& page, const AggregationRows& rows, std::uint32_t row, std::int64_t time);

  Aggregations& aggregations_;
  FieldText& fields_;
  const Sources& sources_;
  AggregationOrder order_;
};

}  // namespace dt::consumer
