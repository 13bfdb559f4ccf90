#pragma once
// -x range=A..B: a part of a recording.

#include <cstdint>
#include <limits>
#include <string_view>

#include "support/result.h"

namespace dt::api {

struct TimeRange {  // ns since 1970
  std::int64_t begin_ns = std::numeric_limits<std::int64_t>::min();
  std::int64_t end_ns = std::numeric_limits<std::int64_t>::max();
  bool has(std::int64_t time_ns) const { return begin_ns <= time_ns && time_ns < end_ns; }
};

// "10s..20s", "..500ms": since the start of the recording; "17:02:03..17:02:05": on its day, in the
// local time zone; or ns since 1970. A side may be empty.
Result<TimeRange> parse_range(std::string_view text, std::int64_t start_ns);

}  // namespace dt::api
