#pragma once
// All aggregations of the run: reading, the actions on them, their order and
// their output.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/aggregate.h"
#include "consumer/bar.h"
#include "consumer/csv.h"
#include "consumer/format.h"
#include "consumer/json_dress.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "consumer/value.h"
#include "record/aggregation_source.h"
#include "record/schema.h"
#include "support/json.h"

namespace dt::consumer {

// Text on its way to an Output, handed over in parts so that printing a
// million keys does not gather them first.
struct Page {
  static constexpr std::size_t kHandOver = 64 * 1024;
  explicit Page(Output& to, JsonDress::Form form = JsonDress::Form::kAsItIs)
      : output(to), dress(form) {}
  void relieve() {
    if (text.size() >= kHandOver) {
      hand_over();
    }
  }
  void hand_over() {
    if (!dress.is_plain()) {
      std::string dressed;
      dress.append(dressed, text);
      text = std::move(dressed);
    }
    output.write(text);
    text.clear();
    ++handed_over;
  }
  Output& output;
  JsonDress dress;
  std::string text;
  std::uint64_t handed_over = 0;  // how often: what was in `text` then can no longer be changed
};

class Aggregations {
 public:
  using Indices = std::span<const std::uint32_t>;

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

  // printa() without and with a format; several are joined on their keys.
  void print_default(Page& page, Indices indices);
  void print_formatted(Page& page, Indices indices, const Format& format);
  // Reads what has user addresses among its keys and notes their processes.
  void note_processes(symbol::Resolver& resolver);
  // Every element of one, in its order; what was read for this firing is not
  // read again.
  using VisitRow =
      std::function<void(Bytes key, const Aggregate& aggregate, std::uint32_t element)>;
  Status each_row(std::uint32_t index, const VisitRow& visit);
  // Sets what is called for each element that clear() and trunc() remove, with its last value.
  void when_removed(VisitRow visit) { removed_ = std::move(visit); }
  // Every aggregation that no printa() showed.
  void print_rest(Page& page);
  // Asked now and then while rows are made: when it is true, those that are left are not.
  void give_up_when(std::function<bool()> wants_end) { wants_end_ = std::move(wants_end); }
  bool has_given_up() const { return has_given_up_; }
  // Whether something could not be read, which has been said.
  bool has_failed() const { return failure_.has_value(); }
  // The same as lines of JSON, one for each key; `sources` name the keys.
  void print_lines(Page& page, Indices indices, const Sources& sources);
  void print_rest_lines(Page& page, const Sources& sources);
  // As rows of CSV: several in one table, joined on their keys. Columns have the order of the
  // format, which is that of a heading above them.
  void print_csv(Page& page, Csv& csv, Indices indices, const Sources& sources,
                 const Format& format = {});
  void print_rest_csv(Page& page, Csv& csv, const Sources& sources);
  // And as FreeBSD's objects, one for each aggregation, within an array.
  void write_objects(support::Json& output, Indices indices);
  // The aggregations with data that no printa() has shown.
  std::vector<std::uint32_t> unprinted();

 private:
  // Lines of output: each has an element of each aggregation, or kNone. Of a
  // single aggregation a row is its element.
  struct Rows {
    std::vector<Aggregate*> aggregates;
    std::vector<std::uint32_t> elements;  // rows x aggregates, of several
    bool is_single() const { return aggregates.size() == 1; }
    std::uint32_t count() const {
      return is_single() ? aggregates[0]->size()
                         : static_cast<std::uint32_t>(elements.size() /
                                                      std::max<std::size_t>(aggregates.size(), 1));
    }
    std::uint32_t element(std::uint32_t row, std::size_t at) const {
      return is_single() ? row : elements[row * aggregates.size() + at];
    }
  };
  // A row in its place, beside what put it there: 8 bytes for each of a million.
  struct Placed {
    std::uint32_t number;
    std::uint32_t row;
  };
  struct Key {
    const record::AggLayout* layout;
    Bytes bytes;
  };

  bool gives_up();
  Aggregate* find(std::uint32_t index);
  Aggregate* current(std::uint32_t index);  // read for this firing
  void read(Aggregate& aggregate, std::uint32_t index);
  void merge_each_cpu(std::uint32_t index, Bytes key, std::uint32_t first_cpu,
                      Aggregate::Words words);
  void make_canonical(const record::AggLayout& layout, std::vector<std::uint8_t>& key);

  static bool is_zero(const Rows& rows, std::uint32_t row);
  // -1, 0, 1
  int compare_keys(const Key& a, const Key& b, std::size_t first);
  int compare_values(const Value& a, const Value& b);
  std::vector<Placed> by_value(Aggregate& aggregate);
  std::vector<Placed> sorted(const Rows& rows);
  std::vector<Placed> ascending(const Rows& rows, bool is_by_key);
  void trunc_one(std::uint32_t index, std::int64_t count);
  void trunc_join(Indices indices, std::int64_t count);
  void keep(std::uint32_t index, std::span<const std::uint32_t> elements);
  void tell_removed(const Aggregate& aggregate, std::span<const std::uint32_t> kept) const;
  Rows join(Indices indices);
  Key key_of(const Rows& rows, std::uint32_t row) const;

  void print_rows(Page& page, const Rows& rows);
  void print_each_cpu(Page& page, const Rows& rows, std::uint32_t row);
  BarStyle style() const { return {options_.agg_zoom, options_.utf8}; }

  void csv_keys(std::vector<Csv::Cell>& cells, const Key& key, const Sources& sources);
  void csv_buckets(Page& page, Csv& csv, std::uint32_t index, const Sources& sources);
  bool shows_numbers(Indices indices, const Format& shown);
  void csv_values(std::vector<Csv::Cell>& cells, const Rows& rows, std::uint32_t row,
                  const Format& shown, bool has_histograms);

  // aggregations_draw.cc
  bool draw(Page& page, const Rows& rows);
  void draw_bars(Page& page, const Rows& rows);
  void draw_packed(Page& page, const Rows& rows);
  void append_columns(std::string& out, const Key& key);

  // The conversion of a key. A row is of all addresses that have one name: with an offset, or with
  // a function of a module, %a would show one of them.
  static Piece of_key(Piece piece, record::FieldKind kind);
  void append_value(std::string& out, const Aggregate& aggregate, std::uint32_t element);
  void append_formatted(Page& page, const Rows& rows, std::uint32_t row, const Format& format);
  void append_formatted_value(std::string& out, const Piece& piece, const Aggregate& aggregate,
                              std::uint32_t element);

  const record::Schema& schema_;
  record::AggregationSource& source_;
  FieldText& fields_;
  const Options& options_;
  const std::function<void(std::string_view)>& error_;
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

// The bytes of one key field; empty when the layout does not fit the key.
Bytes key_field(const record::Field& field, Bytes key);

}  // namespace dt::consumer
