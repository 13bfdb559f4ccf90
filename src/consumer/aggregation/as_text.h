#pragma once
// Aggregations as text: printa() without and with a format, and what is printed at the end.

#include <cstdint>
#include <string>

#include "consumer/aggregation/aggregations.h"
#include "consumer/aggregation/bars.h"
#include "consumer/aggregation/order.h"
#include "consumer/aggregation/rows.h"
#include "consumer/output/options.h"
#include "consumer/output/page.h"
#include "consumer/value/format.h"
#include "consumer/value/value.h"

namespace dt::consumer {

class AggregationText {
 public:
  using Indices = Aggregations::Indices;

  // All references must outlive this.
  AggregationText(Aggregations& aggregations, FieldText& fields, const Options& options);

  // Several are joined on their keys.
  void print_default(Page& page, Indices indices);
  void print_formatted(Page& page, Indices indices, const Format& format);
  // Every aggregation that no printa() showed.
  void print_rest(Page& page);

 private:
  void print_rows(Page& page, const AggregationRows& rows);
  void print_each_cpu(Page& page, const AggregationRows& rows, std::uint32_t row);
  void append_value(std::string& out, const Aggregate& aggregate, std::uint32_t element) const;
  void append_formatted(Page& page, const AggregationRows& rows, std::uint32_t row,
                        const Format& format);

  Aggregations& aggregations_;
  FieldText& fields_;
  const Options& options_;
  AggregationOrder order_;
  AggregationBars bars_;
};

// The conversion of a key. A row is of all addresses that have one name: with an offset, or with a
// function of a module, %a would show one of them.
Piece conversion_of_key(Piece piece, record::FieldKind kind);

// The number that the conversion shows of an element, or of none (kNone). Of a histogram it must be
// one of those that show numbers (Piece::of_histogram()).
void append_number(std::string& out, FieldText& fields, const Piece& piece,
                   const Aggregate& aggregate, std::uint32_t element);

}  // namespace dt::consumer
