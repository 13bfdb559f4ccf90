#pragma once
// All aggregations of the run: reading them and the actions on them.
//
//     rows.h       rows of one, or of several that are joined
//     order.h      their order
//     as_text.h    as text, with bars.h for bars
//     as_csv.h     as CSV
//     as_json.h    as JSON

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/aggregation/aggregate.h"
#include "consumer/aggregation/order.h"
#include "consumer/aggregation/rows.h"
#include "consumer/output/options.h"
#include "consumer/value/value.h"
#include "record/aggregation_source.h"
#include "record/schema.h"
#include "support/result.h"

namespace dt::consumer {

class Aggregations {
 public:
  using Indices = std::span<const std::uint32_t>;

  // All references must outlive this.
  Aggregations(const record::Schema& schema, record::AggregationSource& source, FieldText& fields,
               const Options& options, const std::function<void(std::string_view)>& error);

  // A new firing: what its actions see is read afresh, once per aggregation,
  // so that what is added between a printa() and the clear() after it is kept
  // for the next interval.
  void begin_firing() { ++firing_; }

  // Reads them for this firing, if nothing has.
  void refresh(Indices indices) {
    for (const std::uint32_t index : indices) current(index);
  }

  void clear(std::uint32_t index);
  // Keeps the `count` largest, or for a negative count the smallest. Of several, joined on their
  // keys, the keys of the rows that printa() would print last (or first) stay in all; what is
  // missing in one counts as 0.
  void trunc(Indices indices, std::int64_t count);
  void normalize(std::uint32_t index, std::int64_t factor);

  // Reads what has user addresses among its keys and notes their processes.
  void note_processes(symbol::Resolver& resolver);
  // Every element of one, in its order; what was read for this firing is not
  // read again.
  using VisitRow =
      std::function<void(Bytes key, const Aggregate& aggregate, std::uint32_t element)>;
  Status each_row(std::uint32_t index, const VisitRow& visit);
  // Sets what is called for each element that clear() and trunc() remove, with its last value.
  void when_removed(VisitRow visit) { removed_ = std::move(visit); }

  bool is_histogram(std::uint32_t index) const;
  // The rows of one, or of several joined on their keys, as of this firing, to be printed.
  AggregationRows show(Indices indices);
  // A new firing: the aggregations with data that have not been shown.
  std::vector<std::uint32_t> unprinted();
  // With aggpercpu: what each CPU has contributed. Null: nothing.
  std::span<const std::unique_ptr<Aggregate>> of_cpus(const Aggregate& whole) const;

  // Asked now and then while rows are made: when it is true, those that are left are not.
  void give_up_when(std::function<bool()> wants_end) { wants_end_ = std::move(wants_end); }
  // Asked for each row.
  bool gives_up();
  bool has_given_up() const { return has_given_up_; }
  // Whether something could not be read, which has been said.
  bool has_failed() const { return failure_.has_value(); }

 private:
  Aggregate* find(std::uint32_t index);
  Aggregate* current(std::uint32_t index);  // read for this firing
  AggregationRows join(Indices indices);
  void read(Aggregate& aggregate, std::uint32_t index);
  void merge_each_cpu(std::uint32_t index, Bytes key, std::uint32_t first_cpu,
                      Aggregate::Words words);
  void make_canonical(const record::AggLayout& layout, std::vector<std::uint8_t>& key);
  void trunc_one(std::uint32_t index, std::int64_t count);
  void trunc_join(Indices indices, std::int64_t count);
  void keep(std::uint32_t index, std::span<const std::uint32_t> elements);
  void tell_removed(const Aggregate& aggregate, std::span<const std::uint32_t> kept) const;

  const record::Schema& schema_;
  record::AggregationSource& source_;
  FieldText& fields_;
  const Options& options_;
  const std::function<void(std::string_view)>& error_;
  AggregationOrder order_;
  std::vector<std::unique_ptr<Aggregate>> aggregates_;
  // With aggpercpu: what each CPU contributed to each aggregation.
  std::vector<std::vector<std::unique_ptr<Aggregate>>> of_cpus_;
  std::vector<std::uint64_t> read_at_;  // the firing for which it was read
  std::function<bool()> wants_end_;
  VisitRow removed_;
  bool has_given_up_ = false;
  std::uint32_t rows_made_ = 0;
  std::uint64_t firing_ = 1;
  std::optional<std::string> failure_;  // the last one
};

}  // namespace dt::consumer
