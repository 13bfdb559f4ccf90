#pragma once
// -x oformat=views, html and -x listen: a run's view lines (view/lines.h), as they become known.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/options/options.h"
#include "consumer/consumer.h"
#include "record/schema.h"
#include "support/result.h"
#include "support/source.h"
#include "view/columns.h"
#include "view/lines.h"
#include "view/plan.h"

namespace dt::api {

// Whether the output is made of view lines.
bool is_views(const Options& options);
// An error where they have nothing to show of such a program.
Status check_views(const Options& options, const std::vector<view::View>& views);

class ViewLines {
 public:
  // Of an aggregation whose values add up. What other keys have is one row, so that sums stay.
  static constexpr std::size_t kMostKeys = 10'000;

  // All references must outlive this.
  ViewLines(const record::Schema& schema, const Sources& sources,
            const std::vector<view::View>& views, view::LineHead head, view::Lines::Put put);

  // Says the plan, and then what the consumer is given.
  // `base`: as of Lines::plan().
  void watch(consumer::Consumer& consumer, const view::Flames* base);
  // Aggregations are read now and then beside what the script does: a column of those that it
  // does not print or clear itself.
  void refresh(consumer::Consumer& consumer, std::int64_t time_ns);
  // As report_drops() is given them.
  void drops(std::span<const std::uint64_t> counters) { lines_.drops(counters); }
  // The last columns, and aggregations as they are printed.
  Status finish(consumer::Consumer& consumer, std::int64_t time_ns,
                std::span<const std::uint64_t> counters, std::int32_t status);

 private:
  struct Track {  // of an aggregation
    view::Columns columns;
    bool is_periodic = false;       // its columns are those of the script's ticks
    bool is_printed = false;        // by a tick, and not only cleared
    std::uint64_t last_firing = 0;  // that has made a column
    view::CatchUp catch_up = {};
    std::optional<std::uint32_t> others = {};  // the number of all keys beyond kMostKeys
  };
  void acted(consumer::Consumer& consumer, const record::Layout& layout,
             const consumer::Moment& moment, consumer::Side side);
  Status find(consumer::Consumer& consumer, std::uint32_t aggregation);
  // Whether it has kMostKeys at most.
  bool is_bounded(std::uint32_t aggregation) const;
  void join_others(std::uint32_t aggregation, std::vector<view::Lines::Row>& rows) const;
  // The number of a key in the lines; a new key gets the next number, if there are not too many.
  std::uint32_t number_of(consumer::FieldText& fields, std::uint32_t aggregation,
                          consumer::Bytes key);
  Status column(consumer::Consumer& consumer, std::uint32_t aggregation, std::int64_t time_ns,
                bool is_at_once = false);
  std::vector<view::Lines::Row> current(consumer::Consumer& consumer, std::uint32_t aggregation,
                                        bool is_normalised, std::int64_t& normal, Status& status);

  const record::Schema& schema_;
  const std::vector<view::View>& views_;
  view::Lines lines_;
  std::vector<Track> tracks_;  // by aggregation
  // The numbers of keys, by aggregation and their bytes.
  std::vector<std::map<std::string, std::uint32_t>> keys_;
};

}  // namespace dt::api
