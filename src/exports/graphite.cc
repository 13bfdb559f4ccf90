// Graphite's plaintext protocol: "path value seconds". A path has names with dots between them.

#include <fmt/core.h>

#include "exports/metrics.h"
#include "record/bucket_bounds.h"

namespace dt::exports {
namespace {

// The one way in which texts get in. Two texts never become one name: all but letters, digits and
// '-' is _hh.
std::string part_of(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    if (is_plain) {
      out += c;
    } else {
      out += fmt::format("_{:02x}", static_cast<unsigned char>(c));
    }
  }
  return out.empty() ? "_" : out;
}

}  // namespace

std::string graphite(const Metric& metric, std::int64_t time_ns) {
  constexpr std::int64_t kSecondNs = 1'000'000'000;
  std::string out;
  for (const Series& series : metric.series) {
    std::string path = "dtrace." + part_of(metric.name);
    for (const std::string& label : series.labels) path += "." + part_of(label);
    if (!record::is_histogram(metric.layout->func)) {
      out += fmt::format("{} {} {}\n", path, series.value, time_ns / kSecondNs);
      continue;
    }
    const record::BucketBounds bounds(*metric.layout);
    for (std::size_t i = 0; i < series.words.size(); ++i) {
      if (series.words[i] == 0) continue;
      const bool is_below = i == 0;
      const record::BucketBounds::Ends ends = bounds.of(i);
      out += fmt::format("{}.{}{} {} {}\n", path, is_below ? "to" : "from",
                         is_below ? ends.high : ends.low,
                         static_cast<std::int64_t>(series.words[i]), time_ns / kSecondNs);
    }
  }
  return out;
}

}  // namespace dt::exports
