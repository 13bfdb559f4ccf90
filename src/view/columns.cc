// See columns.h. Words wrap as those of the aggregation do.

#include "view/columns.h"

#include <algorithm>

namespace dt::view {

std::string key_text(consumer::Bytes key) {
  return {reinterpret_cast<const char*>(key.data()), key.size()};
}

Columns::Element& Columns::element(consumer::Bytes key) {
  Element& found = elements_[key_text(key)];
  found.base.resize(words_);
  found.added.resize(words_);
  return found;
}

void Columns::found(consumer::Bytes key, consumer::Aggregate::Words words, bool is_new) {
  Element& at = element(key);
  at.is_new = at.is_new || is_new;
  for (std::size_t i = 0; i < std::min(words_, words.size()); ++i) {
    at.added[i] += words[i] - at.base[i];
    at.base[i] = words[i];
  }
}

void Columns::begin_left() {
  for (auto& [key, at] : elements_) std::fill(at.base.begin(), at.base.end(), 0);
}

void Columns::left(consumer::Bytes key, consumer::Aggregate::Words words) {
  Element& at = element(key);
  std::copy_n(words.begin(), std::min(words_, words.size()), at.base.begin());
}

std::map<std::string, Columns::Words> Columns::take() {
  const auto is_zero = [](std::uint64_t word) { return word == 0; };
  std::map<std::string, Words> all;
  for (auto at = elements_.begin(); at != elements_.end();) {
    Element& one = at->second;
    if (one.is_new || !std::ranges::all_of(one.added, is_zero)) all.emplace(at->first, one.added);
    std::fill(one.added.begin(), one.added.end(), 0);
    one.is_new = false;
    // A key that is gone is not remembered.
    at = std::ranges::all_of(one.base, is_zero) ? elements_.erase(at) : std::next(at);
  }
  return all;
}

bool CatchUp::is_at_once(std::int64_t time_ns) {
  constexpr std::int64_t kShort = 10;  // a tick on time is never so much early
  const std::int64_t length = time_ns - last_ns_;
  const bool is_known = time_ns != 0 && last_ns_ != 0 && length >= 0;  // clocks are set back
  if (is_known && length < length_ns_ / kShort) return true;
  if (is_known) length_ns_ = length;
  last_ns_ = time_ns;
  return false;
}

}  // namespace dt::view
