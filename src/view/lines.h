#pragma once
// View lines: what the pictures of a run show, as one JSON object on each line. The page (web/)
// draws them, live or from a file; docs/views.schema.json holds them to what docs/views.md says.
//
//     plan      first: the views, aggregations and records that there are
//     base      behind it: stacks of another run, with which those of this run are compared
//     frames stack key buckets   names of numbers that later lines have, each once
//     column    what was added to an aggregation since its last column
//     record span   what clauses have recorded, and what lasted
//     rows      at the end: an aggregation as dtrace prints it
//     spans drops end
//
// Numbers are exact: those beyond 2^53, which a double does not hold, are texts. Times are ns since
// the beginning that the plan has.

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "consumer/aggregation/aggregate.h"
#include "consumer/value/value.h"
#include "front/derivable.h"
#include "record/schema.h"
#include "record/wire.h"
#include "support/json.h"
#include "support/source.h"
#include "view/flames.h"
#include "view/frame_tree.h"
#include "view/lasting.h"
#include "view/plan.h"

namespace dt::view {

struct LineHead {
  std::string title;  // what was traced
  std::string host, kernel;
  std::int64_t start_ns = 0;  // since 1970
  // By aggregation: how the program is narrowed, or broken down by another key. None: not at all.
  std::vector<front::Derivable> derivable = {};
};

class Lines {
 public:
  using Words = std::vector<std::uint64_t>;
  struct Row {
    std::uint32_t key = 0;  // key()
    Words words;            // of a histogram its buckets, otherwise one number
  };
  // Each line ends in a newline. `schema` and `sources` must outlive this.
  using Put = std::function<void(std::string_view line)>;
  Lines(const record::Schema& schema, const Sources& sources, const std::vector<View>& views,
        LineHead head, Put put);

  // `base`: stacks of another run with which those of this run are compared, or nullptr.
  void plan(const Flames* base);
  // The number of a key, which is described before its first use.
  std::uint32_t key(consumer::FieldText& fields, std::uint32_t aggregation, consumer::Bytes key);
  // The number of a key that stands for all that have none: "(other)".
  std::uint32_t others(std::uint32_t aggregation);
  void column(std::uint32_t aggregation, std::int64_t time_ns, std::span<const Row> rows);
  void rows(std::uint32_t aggregation, std::int64_t normal, std::span<const Row> rows);
  void record(consumer::FieldText& fields, const record::Header& header,
              const record::Layout& layout, consumer::Bytes bytes);
  // `counters`: record::kDropCounters values per CPU, since the start.
  void drops(std::span<const std::uint64_t> counters);
  // The totals of spans, and the end.
  void end(std::int32_t status);

 private:
  void begin(support::Json& json, std::string_view type) const;
  void put(std::string& line);
  std::int64_t since_start(std::int64_t time_ns);
  void write_aggregation(support::Json& json, std::uint32_t aggregation, bool is_compared) const;
  void write_derivable(support::Json& json, std::uint32_t aggregation) const;
  void write_base(std::uint32_t aggregation, const FrameTree& tree);
  void write_records(support::Json& json, std::uint32_t layout) const;
  void write_view(support::Json& json, const View& view) const;
  void write_rows(support::Json& json, std::uint32_t aggregation, std::span<const Row> rows) const;
  void write_value(support::Json& json, consumer::FieldText& fields, const record::Field& field,
                   consumer::Bytes bytes);
  std::uint32_t stack(const std::vector<Frame>& frames);
  void describe_buckets(std::uint32_t aggregation, std::span<const Row> rows);

  const record::Schema& schema_;
  const Sources& sources_;
  const std::vector<View>& views_;
  LineHead head_;
  Put put_;
  std::map<Frame, std::uint32_t> frames_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> stacks_;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> keys_;
  std::vector<std::uint32_t> key_count_;                // by aggregation
  std::vector<std::vector<bool>> known_buckets_;        // by aggregation
  std::vector<std::pair<std::size_t, Lasting>> spans_;  // by index of the view
  // By layout:
  std::vector<bool> is_shown_;
  std::vector<std::size_t> probe_count_;
  std::vector<std::vector<record::Field>> values_;
  std::int64_t last_ = 0;  // the latest time that a line has
};

}  // namespace dt::view
