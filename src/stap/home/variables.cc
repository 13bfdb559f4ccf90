// See variables.h.

#include "stap/home/variables.h"

#include <algorithm>
#include <utility>

namespace dt::stap {

std::int64_t log_bucket(std::int64_t value) {
  const bool is_negative = value < 0;
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t size = is_negative ? 0 - bits : bits;
  if (size == 0) return 0;
  constexpr int kLast = 63;
  const std::uint64_t bound = std::uint64_t{1} << (kLast - __builtin_clzll(size));
  return static_cast<std::int64_t>(is_negative ? 0 - bound : bound);
}

void Statistics::add(std::int64_t value) {
  min = count == 0 ? value : std::min(min, value);
  max = count == 0 ? value : std::max(max, value);
  ++count;
  sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) +
                                  static_cast<std::uint64_t>(value));
  wide_sum_ += value;
  squares_ += static_cast<Wide>(value) * value;
  ++logarithmic[log_bucket(value)];
  if (bounds.empty()) return;
  const std::int64_t low = bounds[0], high = bounds[1], width = bounds[2];
  const std::int64_t last = (high - low) / width + 1;
  const std::int64_t bucket = value < low ? -1 : value > high ? last : (value - low) / width;
  ++linear[bucket];
}

void Statistics::merge(const Statistics& other) {
  if (other.count != 0) {
    min = count == 0 ? other.min : std::min(min, other.min);
    max = count == 0 ? other.max : std::max(max, other.max);
  }
  count += other.count;
  sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) +
                                  static_cast<std::uint64_t>(other.sum));
  wide_sum_ += other.wide_sum_;
  squares_ += other.squares_;
  for (const auto& [bound, times] : other.logarithmic) logarithmic[bound] += times;
  for (const auto& [bucket, times] : other.linear) linear[bucket] += times;
}

void Statistics::set_wide(std::uint64_t low, std::uint64_t high, std::uint64_t squares,
                          std::uint64_t squares_high) {
  constexpr int kWord = 64;
  __extension__ using Bits = unsigned __int128;
  wide_sum_ = static_cast<Wide>(Bits{high} << kWord | low);
  squares_ = static_cast<Wide>(Bits{squares_high} << kWord | squares);
}

// (sum of squares - sum^2 / n) / (n - 1). The quotient by n is taken apart, so that no product is
// wider than the sums are.
std::int64_t Statistics::variance() const {
  if (count < 2) return 0;
  const Wide n = count;
  const Wide deviation = squares_ - wide_sum_ / n * wide_sum_ - wide_sum_ % n * wide_sum_ / n;
  const Wide rest = (wide_sum_ % n * wide_sum_) % n;
  return static_cast<std::int64_t>((deviation - (rest + n - 1) / n) / (n - 1));
}

std::string Array::key_of(const std::vector<Value>& keys, const std::vector<Type>& types) {
  std::string out;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    auto bits = static_cast<std::uint64_t>(keys[i].number);
    if (types[i] == Type::kString) bits = keys[i].text.size();
    for (std::size_t byte = 0; byte < sizeof bits; ++byte) {
      out += static_cast<char>(bits >> (byte * 8));
    }
    if (types[i] == Type::kString) out += keys[i].text;
  }
  return out;
}

Element* Array::find(const std::string& key) {
  const auto found = places_.find(key);
  return found == places_.end() ? nullptr : &*found->second;
}

Element* Array::make(const std::string& key, std::vector<Value> keys, std::size_t most,
                     bool wraps) {
  if (Element* const there = find(key)) return there;
  if (elements_.size() >= most) {
    if (!wraps || elements_.empty()) return nullptr;
    places_.erase(elements_.front().key);
    elements_.pop_front();
  }
  elements_.push_back({key, std::move(keys), {}, {}});
  places_.emplace(key, std::prev(elements_.end()));
  return &elements_.back();
}

void Array::erase(const std::string& key) {
  const auto found = places_.find(key);
  if (found == places_.end()) return;
  elements_.erase(found->second);
  places_.erase(found);
}

void Array::clear() {
  elements_.clear();
  places_.clear();
}

}  // namespace dt::stap
