// Drawing counts.

#include "consumer/aggregation/bar.h"

#include <algorithm>
#include <string_view>

namespace dt::consumer {
namespace {

constexpr std::size_t kBarColumns = 40;
constexpr long double kZoomHeight = 0.95L;
constexpr std::size_t kEighths = 8;

long double absolute(std::int64_t value) {
  const auto wide = static_cast<long double>(value);
  return wide < 0 ? -wide : wide;
}

constexpr long double kToNearest = 0.5L;

// The part of `steps` that `count` is of the total: rounded, or, with 0 added, truncated.
std::size_t part(std::int64_t count, const BarScale& scale, std::size_t steps,
                 long double added = kToNearest) {
  if (scale.total <= 0) {
    return 0;
  }
  const long double length = absolute(count) * static_cast<long double>(steps) / scale.total;
  return std::min(steps, static_cast<std::size_t>(length + added));
}

// U+2580 and what follows it.
void append_block_character(std::string& out, unsigned offset) {
  out += "\xe2\x96";
  out += static_cast<char>(0x80 + offset);
}

// As in illumos, only bars of whole columns are rounded.
void append_blocks(std::string& out, std::int64_t count, const BarScale& scale) {
  const std::size_t eighths = part(count, scale, kBarColumns * kEighths, 0);
  const std::size_t whole = eighths / kEighths;
  const std::size_t rest = eighths % kEighths;
  out += '|';
  for (std::size_t i = 0; i < whole; ++i) {
    append_block_character(out, 8);
  }
  if (rest != 0) {  // U+2589 is seven eighths, U+258F one
    append_block_character(out, static_cast<unsigned>(16 - rest));
  }
  out.append(kBarColumns - whole - (rest != 0 ? 1 : 0), ' ');
}

}  // namespace

void BarScale::add(std::int64_t count) {
  positives |= count > 0;
  negatives |= count < 0;
  total = style.zoom ? std::max(total, absolute(count) / kZoomHeight) : total + absolute(count);
}

void append_bar(std::string& out, std::int64_t count, const BarScale& scale) {
  if (!scale.negatives) {
    if (scale.style.utf8) {
      append_blocks(out, count, scale);
      return;
    }
    const std::size_t length = part(count, scale, kBarColumns);
    out += '|';
    out.append(length, '@');
    out.append(kBarColumns - length, ' ');
    return;
  }
  if (!scale.positives) {
    const std::size_t length = part(count, scale, kBarColumns);
    out.append(kBarColumns - length, ' ');
    out.append(length, '@');
    out += '|';
    return;
  }
  constexpr std::size_t kHalf = kBarColumns / 2;
  const std::size_t length = part(count, scale, kHalf);
  const std::size_t left = count <= 0 ? length : 0;
  const std::size_t right = length - left;
  out.append(kHalf - left, ' ');
  out.append(left, '@');
  out += '|';
  out.append(right, '@');
  out.append(kHalf - right, ' ');
}

void append_block(std::string& out, std::int64_t count, const BarScale& scale) {
  constexpr std::string_view kPositive = "__xxxxXX";
  constexpr std::string_view kNegative = "vvvvVV";
  if (count == 0) {
    out += ' ';
  } else if (count < 0) {
    out += kNegative[part(count, scale, kNegative.size() - 1)];
  } else if (scale.style.utf8) {
    append_block_character(out, 1 + static_cast<unsigned>(part(count, scale, kEighths - 1)));
  } else {
    out += kPositive[part(count, scale, kPositive.size() - 1)];
  }
}

}  // namespace dt::consumer
