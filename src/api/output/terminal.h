#pragma once
// -x oformat=term: the pictures that a program means (view/plan.h), as lines on the output.
//
// Heat maps and lines come as their ticks do, and events as they happen; flame graphs, histograms,
// tables, timelines and samples at the end.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/output/terminal_records.h"
#include "consumer/consumer.h"
#include "consumer/output/output.h"
#include "exports/term.h"
#include "record/schema.h"
#include "support/source.h"
#include "view/columns.h"
#include "view/flames.h"
#include "view/plan.h"

namespace dt::api {

class Terminal {
 public:
  // All references must outlive this.
  Terminal(const record::Schema& schema, const Sources& sources, const view::Flames& flames,
           const std::vector<view::View>& views);

  void watch(consumer::Consumer& consumer, consumer::FileOutput& output);
  // What was lost of a picture of aggregations, and of all records.
  struct Lost {
    std::uint64_t values = 0, all = 0;
  };
  // When the flames have what there is at the end. `start_ns`: since when was traced.
  Status finish(consumer::Consumer& consumer, const Lost& lost, std::int64_t start_ns,
                std::int64_t end_ns);

 private:
  struct Track {  // of an aggregation whose columns are shown
    view::Columns columns;
    exports::TermHeat heat;
    std::size_t time_columns = 0;
    int second_digits = 0;          // of the times of its columns, behind the point
    std::int64_t most = 0;          // of a line
    std::uint64_t last_firing = 0;  // that has made a line
    view::CatchUp catch_up = {};
  };
  void acted(consumer::Consumer& consumer, const record::Layout& layout,
             const consumer::Moment& moment, consumer::Side side);
  const std::string& name_of(consumer::FieldText& fields, std::uint32_t aggregation,
                             std::span<const std::uint8_t> key);
  Status find(consumer::Consumer& consumer, std::uint32_t aggregation);
  // A line, but if there is nothing in it, none `unless_empty`.
  void print_columns(consumer::Consumer& consumer, const view::View& view, std::string_view time,
                     bool unless_empty);
  std::string line_part(consumer::Consumer& consumer, std::uint32_t aggregation, bool is_alone,
                        bool& is_empty);

  const record::Schema& schema_;
  const Sources& sources_;
  const view::Flames& flames_;
  const std::vector<view::View>& views_;
  TerminalRecords records_;
  exports::TermStyle style_;
  std::map<std::uint32_t, Track> tracks_;
  // The keys of an aggregation as texts, by their bytes.
  std::map<std::pair<std::uint32_t, std::string>, std::string> names_;
  consumer::FileOutput* output_ = nullptr;
};

}  // namespace dt::api
