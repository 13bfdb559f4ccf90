// See timeline.h.

#include "view/timeline.h"

#include <algorithm>

namespace dt::view {

std::uint32_t Timeline::text(std::string_view text) {
  const auto [at, is_new] =
      numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(&at->first);
  return at->second;
}

std::uint32_t Timeline::stack(std::vector<std::uint32_t> frames) {
  const std::string key(reinterpret_cast<const char*>(frames.data()),
                        frames.size() * sizeof(std::uint32_t));
  const auto [at, is_new] =
      stack_numbers_.try_emplace(key, static_cast<std::uint32_t>(stacks_.size()));
  if (is_new) stacks_.push_back(std::move(frames));
  return at->second;
}

std::uint32_t Timeline::counter(const std::string& name, const std::string& unit) {
  const auto [at, is_new] =
      counter_numbers_.try_emplace(name, static_cast<std::uint32_t>(counters_.size()));
  if (is_new) counters_.push_back({name, unit});
  return at->second;
}

bool Timeline::has_room() {
  if (slices_.size() + moments_.size() < kMost) return true;
  ++left_out;
  return false;
}

std::uint32_t Timeline::keep(const std::vector<Detail>& details) {
  const auto first = static_cast<std::uint32_t>(details_.size());
  details_.insert(details_.end(), details.begin(), details.end());
  return first;
}

void Timeline::met(std::int64_t time_ns) {
  if (time_ns == 0) return;
  begin_ns_ = begin_ns_ == 0 ? time_ns : std::min(begin_ns_, time_ns);
  end_ns_ = std::max(end_ns_, time_ns);
}

void Timeline::add(Slice slice, const std::vector<Detail>& details) {
  met(slice.begin_ns);
  met(slice.end_ns);
  if (!has_room()) return;
  slice.first_detail = keep(details);
  slice.details = static_cast<std::uint32_t>(details.size());
  slices_.push_back(slice);
}

void Timeline::add(Moment moment, const std::vector<Detail>& details) {
  met(moment.time_ns);
  if (!has_room()) return;
  moment.first_detail = keep(details);
  moment.details = static_cast<std::uint32_t>(details.size());
  moments_.push_back(moment);
}

void Timeline::add(const Count& count) {
  met(count.time_ns);
  counts_.push_back(count);
}

namespace {

std::uint64_t both(std::int32_t process, std::int32_t thread) {
  return std::uint64_t{static_cast<std::uint32_t>(process)} << 32 |
         static_cast<std::uint32_t>(thread);
}

}  // namespace

void Timeline::call(std::int32_t process, std::int32_t thread, std::string_view name) {
  names_[both(process, thread)] = name;
}

const std::string& Timeline::name_of(std::int32_t process, std::int32_t thread) const {
  static const std::string kNone;
  const auto found = names_.find(both(process, thread));
  return found == names_.end() ? kNone : found->second;
}

void Timeline::place() {
  for (Slice& slice : slices_) {
    if (slice.open == Slice::Open::kAtStart) slice.begin_ns = begin_ns_;
  }
  // Moments before the first time that is known are as of the begin.
  for (Moment& moment : moments_) {
    if (moment.time_ns == 0) moment.time_ns = begin_ns_;
  }
  for (Count& count : counts_) {
    if (count.time_ns == 0) count.time_ns = begin_ns_;
  }
  std::stable_sort(slices_.begin(), slices_.end(), [](const Slice& a, const Slice& b) {
    if (!(a.lane == b.lane)) return a.lane < b.lane;
    if (a.begin_ns != b.begin_ns) return a.begin_ns < b.begin_ns;
    return a.end_ns > b.end_ns;
  });
  std::vector<std::vector<std::int64_t>> open;  // by sibling, the ends of what is open there
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    Slice& slice = slices_[i];
    if (i > 0 && !(slices_[i - 1].lane == slice.lane)) open.clear();
    std::uint32_t sibling = 0;
    for (;; ++sibling) {
      if (sibling == open.size()) open.emplace_back();
      std::vector<std::int64_t>& ends = open[sibling];
      while (!ends.empty() && ends.back() <= slice.begin_ns) ends.pop_back();
      if (ends.empty() || slice.end_ns <= ends.back()) break;
    }
    open[sibling].push_back(slice.end_ns);
    slice.sibling = sibling;
  }
  std::stable_sort(slices_.begin(), slices_.end(), [](const Slice& a, const Slice& b) {
    if (!(a.lane == b.lane)) return a.lane < b.lane;
    return a.sibling < b.sibling;
  });
  std::ranges::stable_sort(moments_, {}, &Moment::time_ns);
  std::ranges::stable_sort(counts_, {}, &Count::time_ns);
}

}  // namespace dt::view
