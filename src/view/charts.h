#pragma once
// What pictures without a page show of the views that are no flame graphs: shapes on one axis of
// time, or bars. Numbers are exact; where there are more columns than a picture has room for,
// neighbours are added up.
//
//     heat, events, scope   Grid: cells by time and row
//     line                  Curves: values by time, one for each key
//     timeline              Lanes: boxes by time and lane
//     hist, table           Bars: numbers beside names

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "consumer/consumer.h"
#include "record/schema.h"
#include "support/source.h"
#include "view/plan.h"
#include "view/ticks.h"
#include "view/timeline_maker.h"

namespace dt::view {

struct Grid {
  struct Cell {
    std::int64_t begin_ns = 0, end_ns = 0;
    std::uint32_t row = 0;
    std::int64_t count = 0;
    std::string about = {};             // "bash 12, cat 5"
    std::size_t key = ~std::size_t{0};  // that has most of it: a number of `keys`, or beyond them
  };
  struct Row {
    std::string label, about;  // "1.049 ms", "1048576 to 2097151 ns"
  };
  std::vector<Row> rows;    // from the lowest
  std::vector<Cell> cells;  // by time
  // The largest, of several: cells that are mostly one of them have its hue. Of one key alone,
  // none.
  std::vector<std::string> keys;
  std::size_t more_keys = 0;
};

struct Curves {
  struct Line {
    struct Point {
      // What was counted in a column is of all the time from `begin_ns` on; another value is of
      // `time_ns` alone, and both are equal.
      std::int64_t begin_ns = 0, time_ns = 0, value = 0;
      bool has_gap = false;  // before it: there were columns without a value
    };
    std::string name;
    std::vector<Point> points;  // by time
  };
  std::vector<Line> lines;
  std::size_t left_out = 0;  // keys that could not be added up
  bool is_area = false;      // one sum
};

struct Lanes {
  struct Box {
    std::int64_t begin_ns = 0, end_ns = 0;
    std::uint32_t row = 0;
    std::uint64_t count = 1;       // of slices
    std::int64_t busy_ns = 0;      // how much of it they fill
    std::string name, about = {};  // of one
    std::string most = {};         // of several: the name that takes the most of it
  };
  std::vector<std::string> rows;                // a name, where a lane begins; else ""
  std::vector<Box> boxes;                       // by row and time
  std::map<std::string, std::int64_t> busy_ns;  // by name, of all boxes
  std::size_t left_out = 0;                     // lanes
};

struct Bars {
  struct Bar {
    std::string name, about;
    std::int64_t value = 0;
    bool is_of_others = false;  // it may be larger than all that stand for one key
  };
  struct Group {
    std::string name;  // of a key; a table has one group without a name
    std::vector<Bar> bars;
  };
  std::vector<Group> groups;
  std::size_t left_out = 0;  // keys that could not be added up
};

struct Chart {
  std::string title;
  std::string unit;  // "ns"; "" where it is not known
  std::string note;
  bool is_histogram = false;  // the unit is that of its buckets, and not of its numbers
  std::variant<Grid, Curves, Lanes, Bars> shape;

  bool has_time() const { return !std::holds_alternative<Bars>(shape); }
  bool empty() const;
};

struct Charts {
  std::vector<Chart> charts;
  std::int64_t begin_ns = 0, end_ns = 0;  // since 1970
};

// Columns of a picture, at most.
constexpr std::size_t kChartColumns = 590;
// Keys with a line or bars of their own.
constexpr std::size_t kChartKeys = 7;

// Whether a view is shown: not flame graphs, and no other aggregations by stack.
bool is_chart(const View& view, const record::Schema& schema);

class ChartMaker {
 public:
  // All references must outlive this. Of `views`, those that is_chart() are shown.
  ChartMaker(const record::Schema& schema, const Sources& sources, const std::vector<View>& views);
  ~ChartMaker();

  void watch(consumer::Consumer& consumer);
  // Once. `start_ns`: since when was traced.
  Charts finish(consumer::Consumer& consumer, std::int64_t start_ns, std::int64_t end_ns);

 private:
  class Track;  // of an aggregation
  struct Records {
    std::vector<View> views;  // the only one that the maker is to see
    std::unique_ptr<TimelineMaker> maker;
  };
  Chart chart_of(const View& view, std::size_t number);

  const record::Schema& schema_;
  const Sources& sources_;
  std::vector<View> views_;
  Ticks ticks_;
  std::map<std::uint32_t, std::unique_ptr<Track>> tracks_;
  std::map<std::size_t, Records> records_;  // by view
  std::int64_t begin_ns_ = 0, end_ns_ = 0;
};

// Adds the records of one view: slices as lanes, moments as cells.
void add_slices(Lanes& lanes, const Timeline& timeline, std::int64_t begin_ns, std::int64_t end_ns);
void add_moments(Grid& grid, const Timeline& timeline, std::int64_t begin_ns, std::int64_t end_ns);
void add_samples(Grid& grid, const Timeline& timeline, std::int64_t begin_ns, std::int64_t end_ns);

// "1.049 ms" of 1048576 ns; of other units the number.
std::string people_text(std::int64_t value, std::uint64_t unit_ns);

}  // namespace dt::view
