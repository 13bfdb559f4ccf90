// See time_order.h.

#include "consumer/time_order.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "record/wire.h"

namespace dt::consumer {

std::int64_t TimeOrder::time_of(const record::Header& header, Bytes bytes) {
  if (header.cpu >= latest_.size()) {
    latest_.resize(std::size_t{header.cpu} + 1);
  }
  std::int64_t& latest = latest_[header.cpu];
  if (record::kind_of(header) != record::Kind::kClause || header.epid == 0 ||
      header.epid > schema_.epids.size()) {
    return latest;
  }
  const std::uint32_t index = schema_.epids[header.epid - 1].layout;
  if (index >= schema_.layouts.size()) {
    return latest;
  }
  const record::Layout& layout = schema_.layouts[index];
  if (layout.has_time && !layout.fields.empty() &&
      std::size_t{layout.fields.back().offset} + sizeof latest <= bytes.size()) {
    std::memcpy(&latest, bytes.data() + layout.fields.back().offset, sizeof latest);
  }
  return latest;
}

void TimeOrder::add(Bytes bytes) {
  record::Header header{};
  if (bytes.size() < sizeof header) {
    held_.push_back({0, 0, {bytes.begin(), bytes.end()}});
    return;
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  held_.push_back({time_of(header, bytes), header.cpu, {bytes.begin(), bytes.end()}});
}

void TimeOrder::hand_over(std::int64_t time, const std::function<void(Bytes)>& consume) {
  std::stable_sort(held_.begin(), held_.end(), [](const Held& a, const Held& b) {
    return std::tie(a.time, a.cpu) < std::tie(b.time, b.cpu);
  });
  const auto end = std::partition_point(held_.begin(), held_.end(),
                                        [time](const Held& one) { return one.time < time; });
  std::vector<Held> later(std::make_move_iterator(end), std::make_move_iterator(held_.end()));
  held_.erase(end, held_.end());
  for (const Held& one : std::exchange(held_, std::move(later))) {
    consume(one.bytes);
  }
}

}  // namespace dt::consumer
