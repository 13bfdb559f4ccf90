#pragma once
// The part of a recording that is shown: all of it, that of -x range, or what -x recordsize has
// kept.
//
// Records, messages and drops belong to the part by their time. Aggregations were read now and
// then: those of the part are those of the last read before its end, less those of the last one
// before its begin.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "api/options/request.h"
#include "api/options/time_range.h"
#include "record/schema.h"
#include "recording/program.h"
#include "recording/reads.h"
#include "support/result.h"
#include "support/tagged.h"

namespace dt::recording {
class Reader;
}

namespace dt::api {

class ReplayedPart {
 public:
  // All references must outlive this.
  ReplayedPart(const Options& options, const record::Schema& schema, const recording::Head& head,
               const recording::Reader& reader, recording::KnownReads& reads,
               const Callbacks& callbacks)
      : options_(options),
        schema_(schema),
        head_(head),
        reader_(reader),
        reads_(reads),
        callbacks_(callbacks) {}

  // Before the first entry. A recording has no min() and max() of a part of the run, only those of
  // all until a time: for these aggregations, a message says that the replay shows the latter.
  Status begin();
  // Whether an entry that is no record is passed over.
  bool leaves_out(const support::Tagged& entry);
  // Whether a record is shown, or what a handler has done at a time.
  bool shows(std::string_view record);
  bool shows_at(std::int64_t time_ns);
  // Takes what was lost before the part from `counters`, which are all since the start of the run.
  // False: they were read at a time that is not shown.
  bool cut_drops(std::vector<std::uint64_t>& counters);

  // At the begin of a segment; true if entries before it are missing.
  bool begin_segment();
  // Behind the names, reads and drops that a segment repeats.
  void begin_at_segment();
  // Whether the recording begins later than its run.
  bool lacks_begin() const { return lacks_begin_; }

 private:
  void begin_again();
  void say_range() const;

  const Options& options_;
  const record::Schema& schema_;
  const recording::Head& head_;
  const recording::Reader& reader_;
  recording::KnownReads& reads_;
  const Callbacks& callbacks_;
  std::optional<TimeRange> range_;     // -x range
  bool is_in_range_ = true;            // what came last
  bool has_begun_ = true;              // the range
  std::int64_t first_read_ns_ = 0;     // of aggregations; 0: they begin with the run
  std::vector<std::uint64_t> before_;  // drops before it
  bool lacks_begin_ = false;
  bool is_jump_ = false;  // at the segment whose names and aggregations come now
};

}  // namespace dt::api
