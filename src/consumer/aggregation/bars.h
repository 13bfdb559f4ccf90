#pragma once
// Aggregations drawn: agghist (one bar for each key) and aggpack (one histogram on a line for each
// key).

#include <string>

#include "consumer/aggregation/aggregations.h"
#include "consumer/aggregation/bar.h"
#include "consumer/aggregation/order.h"
#include "consumer/aggregation/rows.h"
#include "consumer/output/options.h"
#include "consumer/output/page.h"
#include "consumer/value/value.h"

namespace dt::consumer {

class AggregationBars {
 public:
  // All references must outlive this.
  AggregationBars(Aggregations& aggregations, FieldText& fields, const Options& options)
      : aggregations_(aggregations), fields_(fields), options_(options), order_(fields, options) {}

  // Prints rows as bars or packed; false when they are not to be drawn.
  bool draw(Page& page, const AggregationRows& rows);

 private:
  void draw_bars(Page& page, const AggregationRows& rows);
  void draw_packed(Page& page, const AggregationRows& rows);
  void append_columns(std::string& out, const RowKey& key);

  Aggregations& aggregations_;
  FieldText& fields_;
  const Options& options_;
  AggregationOrder order_;
};

BarStyle bar_style(const Options& options);

}  // namespace dt::consumer
