// See histogram.h.
//
//     value |-------------------------------------------------- count
//         1 |                                                   0
//         2 |                                                   0
//         4 |@@@@@@@@@@@@                                       12

#include "stap/home/histogram.h"

#include <fmt/core.h>

#include <algorithm>

namespace dt::stap {
namespace {

constexpr std::int64_t kColumns = 50;
constexpr std::int64_t kMiddle = 64;    // the bucket of 0 of @hist_log
constexpr std::int64_t kBuckets = 128;  // of @hist_log
constexpr std::int64_t kMargin = 2;     // empty rows before the first one and behind the last

// The lower bound of a bucket of @hist_log by its number.
std::int64_t bound_of(std::int64_t index) {
  if (index == kMiddle) return 0;
  const auto power =
      static_cast<std::uint64_t>((index > kMiddle ? index : kBuckets - index) - kMiddle - 1);
  const std::uint64_t bound = std::uint64_t{1} << power;
  return static_cast<std::int64_t>(index > kMiddle ? bound : 0 - bound);
}

std::int64_t at(const std::map<std::int64_t, std::int64_t>& counts, std::int64_t key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

// Those around what is not empty.
template <typename Row>
std::vector<HistogramRow> around(std::int64_t first, std::int64_t last, const Row& row) {
  std::int64_t low = last + 1, high = first - 1;
  for (std::int64_t i = first; i <= last; ++i) {
    if (row(i).count == 0) continue;
    low = std::min(low, i);
    high = std::max(high, i);
  }
  std::vector<HistogramRow> rows;
  for (std::int64_t i = std::max(first, low - kMargin); i <= std::min(last, high + kMargin); ++i) {
    rows.push_back(row(i));
  }
  return low > high ? std::vector<HistogramRow>() : rows;
}

}  // namespace

std::vector<HistogramRow> logarithmic_rows(const Statistics& statistics) {
  return around(0, kBuckets - 1, [&](std::int64_t i) {
    const std::int64_t bound = bound_of(i);
    return HistogramRow{std::to_string(bound), at(statistics.logarithmic, bound)};
  });
}

std::vector<HistogramRow> linear_rows(const Statistics& statistics) {
  const std::int64_t low = statistics.bounds[0], width = statistics.bounds[2];
  const std::int64_t last = (statistics.bounds[1] - low) / width + 1;
  return around(-1, last, [&](std::int64_t i) {
    std::string label =
        i < 0 ? fmt::format("<{}", low) : std::to_string(low + (i == last ? i - 1 : i) * width);
    if (i == last) label.insert(0, ">");
    return HistogramRow{std::move(label), at(statistics.linear, i)};
  });
}

std::string draw(const std::vector<HistogramRow>& rows) {
  std::size_t labels = 5, counts = 1;
  std::int64_t most = 1;
  for (const HistogramRow& row : rows) {
    labels = std::max(labels, row.label.size());
    counts = std::max(counts, std::to_string(row.count).size());
    most = std::max(most, row.count);
  }
  std::string out = fmt::format("{:>{}} |{} count\n", "value", labels, std::string(kColumns, '-'));
  std::size_t empty = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    empty = rows[i].count == 0 ? empty + 1 : 0;
    // Of a long run of empty rows the first and the last ones are shown.
    const bool is_inner =
        empty > 2 && i + 2 < rows.size() && rows[i + 1].count == 0 && rows[i + 2].count == 0;
    if (is_inner) {
      if (empty == 3) out += fmt::format("{:>{}} ~\n", "", labels);
      continue;
    }
    const std::int64_t bar = most <= kColumns ? rows[i].count : rows[i].count * kColumns / most;
    out += fmt::format("{:>{}} |{:<{}} {:>{}}\n", rows[i].label, labels,
                       std::string(static_cast<std::size_t>(bar), '@'), kColumns, rows[i].count,
                       counts);
  }
  return out;
}

std::int64_t buckets_of(const Statistics& statistics, bool is_linear) {
  if (!is_linear) return kBuckets;
  return (statistics.bounds[1] - statistics.bounds[0]) / statistics.bounds[2] + 3;
}

std::int64_t bucket_count(const Statistics& statistics, bool is_linear, std::int64_t index) {
  return is_linear ? at(statistics.linear, index - 1) : at(statistics.logarithmic, bound_of(index));
}

}  // namespace dt::stap
