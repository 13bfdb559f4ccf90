#pragma once
// What aggregations were at the moments that make columns: the firings of ticks that print, clear
// or truncate them, or, of those that no tick reads, whenever refresh() is called.

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "consumer/consumer.h"
#include "record/schema.h"
#include "view/columns.h"
#include "view/plan.h"

namespace dt::view {

// The aggregations of the views, ascending, but those by stack: of a stack there are too many keys
// for counters.
std::vector<std::uint32_t> counted_aggregations(const record::Schema& schema,
                                                const std::vector<View>& views);

// The elements of an aggregation as the actions of a record have left them.
void read_left(consumer::Consumer& consumer, std::uint32_t aggregation, Columns& columns);

class Ticks {
 public:
  struct Row {
    const std::string* key = nullptr;                  // its bytes
    const std::vector<std::string>* labels = nullptr;  // the values of the key, as texts
    Columns::Words added;                              // of what adds up: since the last column
    std::int64_t value = 0;  // of what has one number: as it is, divided by normalize()
  };
  // One aggregation at a moment; rows to which nothing was added are not there, but for those of
  // keys that are new. A firing that only makes up for a late one makes no column without rows.
  using Column = std::function<void(std::uint32_t aggregation, std::int64_t time_ns,
                                    const std::vector<Row>& rows)>;
  // Behind the columns of a moment.
  using Over = std::function<void(std::int64_t time_ns)>;

  // Follows these aggregations. The schema must outlive this.
  Ticks(const record::Schema& schema, const std::vector<std::uint32_t>& aggregations);

  void watch(consumer::Consumer& consumer, Column column, Over over);
  bool wants_refresh() const;
  void refresh(consumer::Consumer& consumer, std::int64_t time_ns);
  // What came behind the last column of each.
  void finish(consumer::Consumer& consumer, std::int64_t time_ns);

 private:
  using LabelsByKey = std::map<std::string, std::vector<std::string>>;
  using Labels = LabelsByKey::value_type;
  struct Track {
    Columns columns;
    LabelsByKey labels = {};
    bool has_ticks = false;
    std::uint64_t last_firing = 0;  // that made a column
    CatchUp catch_up = {};
  };
  void acted(consumer::Consumer& consumer, const record::Layout& layout,
             const consumer::Moment& moment, consumer::Side side);
  void find(consumer::Consumer& consumer, std::uint32_t aggregation, Track& track);
  const Labels& label(consumer::FieldText& fields, std::uint32_t aggregation, consumer::Bytes key,
                      Track& track) const;
  void give(consumer::Consumer& consumer, std::uint32_t aggregation, Track& track,
            std::int64_t time_ns, bool is_at_once = false);

  const record::Schema& schema_;
  std::map<std::uint32_t, Track> tracks_;
  std::vector<bool> is_tick_;  // by layout
  Column column_;
  Over over_;
};

}  // namespace dt::view
