#pragma once
// Aggregations as CSV: a row for each key, with the values of all that are printed together; of a
// histogram a row for each bucket with data, unless the format asks for numbers of it alone.

#include <cstdint>
#include <vector>

#include "consumer/aggregation/aggregations.h"
#include "consumer/aggregation/order.h"
#include "consumer/aggregation/rows.h"
#include "consumer/output/options.h"
#include "consumer/output/page.h"
#include "consumer/structured/csv.h"
#include "consumer/value/format.h"
#include "consumer/value/value.h"

namespace dt::consumer {

class AggregationCsv {
 public:
  using Indices = Aggregations::Indices;

  // All references must outlive this. `sources` name the keys.
  AggregationCsv(Aggregations& aggregations, FieldText& fields, const Options& options,
                 const Sources& sources)
      : aggregations_(aggregations), fields_(fields), sources_(sources), order_(fields, options) {}

  // Several in one table, joined on their keys. Columns have the order of the format, which is that
  // of a heading above them.
  void print(Page& page, Csv& csv, Indices indices, const Format& format = {});
  // Every aggregation that no printa() showed.
  void print_rest(Page& page, Csv& csv);

 private:
  void append_keys(Csv::Cells& cells, const RowKey& key);
  void show_keys(Csv::Cells& cells, const RowKey& key, const Format& shown);
  void append_values(Csv::Cells& cells, const AggregationRows& rows, std::uint32_t row,
                     const Format& shown, bool has_histograms);
  void print_buckets(Page& page, Csv& csv, std::uint32_t index);
  void print_table(Page& page, Csv& csv, Indices indices, const Format& format,
                   bool has_histograms);
  bool shows_numbers(Indices indices, const Format& shown);

  Aggregations& aggregations_;
  FieldText& fields_;
  const Sources& sources_;
  AggregationOrder order_;
};

}  // namespace dt::consumer
