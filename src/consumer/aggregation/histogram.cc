// Drawing the three kinds of histograms.

#include "consumer/aggregation/histogram.h"

#include <algorithm>
#include <functional>

#include "record/bucket_bounds.h"
#include "support/check.h"

namespace dt::consumer {
namespace {

using record::AggFunc;
__extension__ typedef unsigned __int128 Wide;

constexpr std::size_t kLabelColumns = 16;
// The least columns of a packed histogram's ends; and of lquantize's, which are "< base" and
// ">= limit".
constexpr std::size_t kEndColumns = 4;
constexpr std::size_t kLowestColumns = 7, kHighestColumns = 8;

std::int64_t count_at(Aggregate::Words words, std::size_t bucket) {
  return static_cast<std::int64_t>(words[bucket]);
}

std::string decimal(Wide value) {
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  return digits;
}

// Where llquantize's last bucket begins, beyond 64 bits if it must: factor^(high + 1), which has up
// to 20 digits for a factor of 10, and more for larger ones.
Wide llquantize_end(const record::AggParams& params) {
  Wide value = 1;
  for (std::uint32_t i = 0; i <= params.high && value < (Wide{1} << 96); ++i) {
    value *= params.factor;
  }
  return value;
}

// The label of a bucket of one histogram.
using Label = std::function<std::string(std::size_t)>;

Label label_of(const record::AggLayout& layout, std::size_t buckets) {
  const record::AggParams& params = layout.params;
  switch (layout.func) {
    case AggFunc::kLquantize:
      return [&params, buckets](std::size_t i) {
        if (i == 0) {
          return fmt::format("< {}", params.base);
        }
        const std::int64_t begin = record::lquantize_edge(params, i - 1);
        return (i + 1 == buckets ? ">= " : "") + std::to_string(begin);
      };
    case AggFunc::kLlquantize: {
      std::vector<std::uint64_t> bounds = record::llquantize_boundaries(params);
      return [&params, bounds = std::move(bounds), buckets](std::size_t i) {
        if (i == 0) {
          return fmt::format("< {}", bounds.empty() ? 0 : bounds[0]);
        }
        if (i + 1 == buckets || i > bounds.size()) {
          return ">= " + decimal(llquantize_end(params));
        }
        return std::to_string(bounds[i - 1]);
      };
    }
    default:
      return [](std::size_t i) {
        return std::to_string(record::quantize_value(static_cast<std::uint32_t>(i)));
      };
  }
}

// The buckets that are shown: from one before the first with data to one after the last; around 0
// (or at the beginning) when there is none. The empty ones at both ends are part of DTrace's
// format: they show that the distribution ends there.
BucketRange shown(const record::AggLayout& layout, Aggregate::Words words) {
  const auto has_data = [](std::uint64_t count) { return count != 0; };
  const auto first = std::find_if(words.begin(), words.end(), has_data);
  const std::size_t end = words.size() - 1;
  if (first == words.end()) {
    if (layout.func == AggFunc::kQuantize) {
      return {record::kQuantizeZero - 1, record::kQuantizeZero + 1};
    }
    return {0, std::min<std::size_t>(layout.func == AggFunc::kLlquantize ? 1 : 2, end)};
  }
  const auto begin = static_cast<std::size_t>(first - words.begin());
  std::size_t last = end;
  while (words[last] == 0) {
    --last;
  }
  return {begin == 0 ? 0 : begin - 1, std::min(last + 1, end)};
}

bool is_drawable(const record::AggLayout& layout, Aggregate::Words words) {
  return !words.empty() &&
         (layout.func != AggFunc::kQuantize || words.size() == record::kQuantizeBuckets);
}

}  // namespace

void append_bar_header(std::string& out, std::string_view what, std::size_t columns) {
  out += '\n';
  append_padded(out, what, columns, false);
  out += "  ------------- Distribution ------------- count    \n";
}

void append_bar_line(std::string& out, std::int64_t count, std::int64_t shown_count,
                     const BarScale& scale) {
  append_bar(out, count, scale);
  out += ' ';
  append_padded(out, std::to_string(shown_count), 9, true);
  out += '\n';
}

void append_histogram(std::string& out, const record::AggLayout& layout, Aggregate::Words words,
                      std::int64_t normal, BarStyle style) {
  if (!is_drawable(layout, words)) {
    return;
  }
  const BucketRange range = shown(layout, words);
  BarScale scale(style);
  for (std::size_t i = range.first; i <= range.last; ++i) {
    scale.add(count_at(words, i));
  }
  append_bar_header(out, "value", kLabelColumns);
  const Label label = label_of(layout, words.size());
  for (std::size_t i = range.first; i <= range.last; ++i) {
    append_padded(out, label(i), kLabelColumns, false);
    out += ' ';
    append_bar_line(out, count_at(words, i),
                    scalar_value(AggFunc::kSum, words.subspan(i, 1), normal), scale);
  }
}

std::string bucket_label(const record::AggLayout& layout, std::size_t bucket) {
  return label_of(layout, layout.value_words)(bucket);
}

void widen(BucketRange& range, Aggregate::Words words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != 0) {
      range.first = std::min(range.first, i);
      range.last = std::max(range.last, std::min(i + 1, words.size() - 1));
    }
  }
}

PackedEnds packed_ends(const record::AggLayout& layout, BucketRange range) {
  const Label label = label_of(layout, layout.value_words);
  const bool is_linear = layout.func == AggFunc::kLquantize;
  PackedEnds ends{label(range.first), label(range.last), 0, 0};
  ends.low_columns = std::max(is_linear ? kLowestColumns : kEndColumns, ends.low.size());
  ends.high_columns = std::max(is_linear ? kHighestColumns : kEndColumns, ends.high.size());
  return ends;
}

void append_packed_header(std::string& out, BucketRange range, const PackedEnds& ends,
                          std::size_t key_columns) {
  out += '\n';
  append_padded(out, key_columns == 0 ? "" : "key", key_columns, false);
  out += ' ';
  append_padded(out, "min", ends.low_columns, false);
  out += " .";
  out.append(range.last - range.first + 1, '-');
  out += ". ";
  append_padded(out, "max", ends.high_columns, true);
  out += " | count\n";
}

void append_packed(std::string& out, const record::AggLayout& layout, Aggregate::Words words,
                   std::int64_t normal, BarStyle style, BucketRange range, const PackedEnds& ends) {
  if (!is_drawable(layout, words)) {
    return;
  }
  BarScale scale(style);
  std::uint64_t total = 0;
  for (std::size_t i = range.first; i <= range.last; ++i) {
    scale.add(count_at(words, i));
    total += words[i];
  }
  out += ' ';
  append_padded(out, ends.low, ends.low_columns, false);
  out += " :";
  for (std::size_t i = range.first; i <= range.last; ++i) {
    append_block(out, count_at(words, i), scale);
  }
  out += ": ";
  append_padded(out, ends.high, ends.high_columns, true);
  out += " | ";
  out += std::to_string(scalar_value(AggFunc::kSum, Aggregate::Words(&total, 1), normal));
}

}  // namespace dt::consumer
