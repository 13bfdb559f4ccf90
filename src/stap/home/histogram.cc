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
constexpr std::int64_t kMargin = 2;     // empty rows at both ends, where all are shown

// The lower bound of a bucket of @hist_log by its number.
std::int64_t bound_of(std::int64_t index) {
  if (index == kMiddle) return 0;
  const auto power =
      static_cast<std::uint64_t>((index > kMiddle ? index : kBuckets - index) - kMiddle - 1);
  const std::uint64_t bound = std::uint64_t{1} << power;
  return static_cast<std::int64_t>(index > kMiddle ? bound : 0 - bound);
}

std::int64_t count_at(const std::map<std::int64_t, std::int64_t>& counts, std::int64_t key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

struct HistogramRow {
  std::string label;
  std::int64_t count = 0;
};
using Rows = std::vector<HistogramRow>;

// Those around what is not empty, by their numbers.
template <typename Row>
Rows around(std::int64_t first, std::int64_t last, std::int64_t margin, const Row& row) {
  std::int64_t low = last + 1, high = first - 1;
  for (std::int64_t i = first; i <= last; ++i) {
    if (row(i).count == 0) continue;
    low = std::min(low, i);
    high = std::max(high, i);
  }
  if (low > high) return {};
  Rows rows;
  for (std::int64_t i = std::max(first, low - margin); i <= std::min(last, high + margin); ++i) {
    rows.push_back(row(i));
  }
  return rows;
}

Rows logarithmic_rows(const Statistics& statistics, std::int64_t margin) {
  // There are rows below 0 only where there are values.
  const bool has_negative =
      std::any_of(statistics.logarithmic.begin(), statistics.logarithmic.end(),
                  [](const auto& bucket) { return bucket.first < 0 && bucket.second != 0; });
  const std::int64_t first = has_negative ? 0 : kMiddle;
  return around(first, kBuckets - 1, margin, [&](std::int64_t i) {
    const std::int64_t bound = bound_of(i);
    return HistogramRow{std::to_string(bound), count_at(statistics.logarithmic, bound)};
  });
}

Rows linear_rows(const Statistics& statistics, std::int64_t margin) {
  const std::int64_t low = statistics.bounds[0], width = statistics.bounds[2];
  const std::int64_t last = (statistics.bounds[1] - low) / width + 1;
  const auto is_empty = [&](std::int64_t i) { return count_at(statistics.linear, i) == 0; };
  // There are rows outside of the bounds only where there are values.
  const std::int64_t first = is_empty(-1) ? 0 : -1, end = is_empty(last) ? last - 1 : last;
  return around(first, end, margin, [&](std::int64_t i) {
    std::string label =
        i < 0 ? fmt::format("<{}", low) : std::to_string(low + (i == last ? i - 1 : i) * width);
    if (i == last) label.insert(0, ">");
    return HistogramRow{std::move(label), count_at(statistics.linear, i)};
  });
}

// Whether a row is in the middle of empty ones, of which `shown` stay at both ends.
std::vector<bool> left_out(const Rows& rows, std::int64_t shown) {
  std::vector<bool> out(rows.size(), false);
  for (std::size_t begin = 0; begin < rows.size() && shown >= 0;) {
    std::size_t end = begin;
    while (end < rows.size() && rows[end].count == 0) ++end;
    for (auto i = begin + static_cast<std::size_t>(shown);
         i + static_cast<std::size_t>(shown) < end; ++i) {
      out[i] = begin > 0 && end < rows.size();
    }
    begin = end + 1;
  }
  return out;
}

}  // namespace

std::string draw(const Statistics& statistics, bool is_linear, std::int64_t elision) {
  const std::int64_t margin = elision < 0 ? kMargin : elision;
  const Rows rows =
      is_linear ? linear_rows(statistics, margin) : logarithmic_rows(statistics, margin);
  std::size_t labels = 5, counts = 1;
  std::int64_t most = 1;
  for (const HistogramRow& row : rows) {
    labels = std::max(labels, row.label.size());
    counts = std::max(counts, std::to_string(row.count).size());
    most = std::max(most, row.count);
  }
  std::string out = fmt::format("{:>{}} |{} count\n", "value", labels, std::string(kColumns, '-'));
  const std::vector<bool> is_left_out = left_out(rows, elision);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (is_left_out[i]) {
      if (!is_left_out[i - 1]) out += fmt::format("{:>{}} ~\n", "", labels);
      continue;
    }
    const std::int64_t bar = most <= kColumns ? rows[i].count : rows[i].count * kColumns / most;
    out += fmt::format("{:>{}} |{:<{}} {:>{}}\n", rows[i].label, labels,
                       std::string(static_cast<std::size_t>(bar), '@'), kColumns, rows[i].count,
                       counts);
  }
  return out + "\n";
}

front::OutcomeHistogram histogram_of(const Statistics& statistics, bool is_linear) {
  front::OutcomeHistogram out;
  out.is_linear = is_linear;
  if (!is_linear) {
    for (const auto& [bound, count] : statistics.logarithmic) {
      if (count != 0) out.buckets.push_back({bound, count});
    }
    return out;
  }
  out.low = statistics.bounds[0];
  out.high = statistics.bounds[1];
  out.width = statistics.bounds[2];
  const std::int64_t last = (out.high - out.low) / out.width + 1;
  for (const auto& [index, count] : statistics.linear) {
    if (count == 0) continue;
    front::OutcomeBucket made{out.low + index * out.width, count};
    made.is_below = index < 0;
    made.is_above = index >= last;
    if (made.is_below) made.value = out.low;
    if (made.is_above) made.value = out.high + 1;  // in text, a multiple of the width
    out.buckets.push_back(made);
  }
  return out;
}

std::int64_t buckets_of(const Statistics& statistics, bool is_linear) {
  if (!is_linear) return kBuckets;
  return (statistics.bounds[1] - statistics.bounds[0]) / statistics.bounds[2] + 3;
}

std::int64_t bucket_count(const Statistics& statistics, bool is_linear, std::int64_t index) {
  return is_linear ? count_at(statistics.linear, index - 1)
                   : count_at(statistics.logarithmic, bound_of(index));
}

}  // namespace dt::stap
