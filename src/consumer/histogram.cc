// Drawing the three kinds of histograms.

#include "consumer/histogram.h"

#include <algorithm>
#include <functional>

#include "support/check.h"

namespace dt::consumer {
namespace {

using record::AggFunc;
__extension__ typedef unsigned __int128 Wide;

constexpr std::size_t kBarColumns = 40;
constexpr std::size_t kLabelColumns = 16;
constexpr long double kZoomHeight = 0.95L;

struct Scale {
  long double total = 0;
  bool positives = false;
  bool negatives = false;
};

std::int64_t count_at(Aggregate::Words words, std::size_t bucket) {
  return static_cast<std::int64_t>(words[bucket]);
}

long double absolute(std::int64_t value) {
  const auto wide = static_cast<long double>(value);
  return wide < 0 ? -wide : wide;
}

std::size_t bar_length(std::int64_t count, const Scale& scale, std::size_t columns) {
  if (scale.total <= 0) {
    return 0;
  }
  const long double length =
      absolute(count) * static_cast<long double>(columns) / scale.total + 0.5L;
  return std::min(columns, static_cast<std::size_t>(length));
}

void append_bar(std::string& out, std::int64_t count, const Scale& scale) {
  if (!scale.negatives) {
    const std::size_t length = bar_length(count, scale, kBarColumns);
    out += '|';
    out.append(length, '@');
    out.append(kBarColumns - length, ' ');
    return;
  }
  if (!scale.positives) {
    const std::size_t length = bar_length(count, scale, kBarColumns);
    out.append(kBarColumns - length, ' ');
    out.append(length, '@');
    out += '|';
    return;
  }
  constexpr std::size_t kHalf = kBarColumns / 2;
  const std::size_t length = bar_length(count, scale, kHalf);
  const std::size_t left = count <= 0 ? length : 0;
  const std::size_t right = length - left;
  out.append(kHalf - left, ' ');
  out.append(left, '@');
  out += '|';
  out.append(right, '@');
  out.append(kHalf - right, ' ');
}

std::string decimal(Wide value) {
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  return digits;
}

// Where llquantize's last bucket begins, beyond 64 bits if it must.
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
        const auto base = static_cast<std::uint64_t>(params.base);
        const auto step = static_cast<std::uint64_t>(params.step);
        if (i == 0) {
          return fmt::format("< {}", params.base);
        }
        // Unsigned, so that a limit near the end of the range may wrap.
        const auto begin = static_cast<std::int64_t>(base + (i - 1) * step);
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

struct Range {
  std::size_t first;
  std::size_t last;
};

// From one bucket before the first with data to one after the last; around 0
// (or at the beginning) when there is none.
Range shown(const record::AggLayout& layout, Aggregate::Words words) {
  const auto has_data = [](std::uint64_t count) { return count != 0; };
  const auto first = std::find_if(words.begin(), words.end(), has_data);
  const std::size_t end = words.size() - 1;
  if (first == words.end()) {
    if (layout.func == AggFunc::kQuantize) {
      return {record::kQuantizeZero - 1, record::kQuantizeZero + 1};
    }
    return {0, std::min<std::size_t>(2, end)};
  }
  const auto begin = static_cast<std::size_t>(first - words.begin());
  std::size_t last = end;
  while (words[last] == 0) {
    --last;
  }
  return {begin == 0 ? 0 : begin - 1, std::min(last + 1, end)};
}

}  // namespace

void append_histogram(std::string& out, const record::AggLayout& layout, Aggregate::Words words,
                      std::int64_t normal, bool zoom) {
  if (words.empty() ||
      (layout.func == AggFunc::kQuantize && words.size() != record::kQuantizeBuckets)) {
    return;
  }
  const Range range = shown(layout, words);
  Scale scale;
  for (std::size_t i = range.first; i <= range.last; ++i) {
    const std::int64_t count = count_at(words, i);
    scale.positives |= count > 0;
    scale.negatives |= count < 0;
    if (zoom) {
      scale.total = std::max(scale.total, absolute(count) / kZoomHeight);
    } else {
      scale.total += absolute(count);
    }
  }
  out += "\n           value  ------------- Distribution ------------- count    \n";
  const Label label = label_of(layout, words.size());
  for (std::size_t i = range.first; i <= range.last; ++i) {
    append_padded(out, label(i), kLabelColumns, false);
    out += ' ';
    const std::int64_t count = count_at(words, i);
    append_bar(out, count, scale);
    out += ' ';
    const std::int64_t shown_count = scalar_value(AggFunc::kSum, words.subspan(i, 1), normal);
    append_padded(out, std::to_string(shown_count), 9, true);
    out += '\n';
  }
}

}  // namespace dt::consumer
