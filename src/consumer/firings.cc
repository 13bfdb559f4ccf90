// See firings.h.

#include "consumer/firings.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace dt::consumer {

// The firing that a record belongs to. The record has only the low bits of the number
// (record/wire.h), which begin again after the last one. The numbers of a CPU come nearly in order,
// so of the numbers with these bits, the one nearest to the latest is meant: ahead of it by less
// than half of the range, or behind it.
FiringId Firings::identify(const record::Header& header) {
  const std::uint16_t number = record::firing_of(header);
  if (number == 0) {
    return {};
  }
  if (header.cpu >= latest_.size()) {
    latest_.resize(std::size_t{header.cpu} + 1, 1U << record::kFiringBits);
  }
  constexpr std::uint16_t kHalf = 1U << (record::kFiringBits - 1), kMask = 2 * kHalf - 1;
  std::uint64_t& latest = latest_[header.cpu];
  const auto ahead = static_cast<std::uint16_t>((number - latest) & kMask);
  const std::uint64_t whole = ahead < kHalf ? latest + ahead : latest + ahead - 2 * kHalf;
  latest = std::max(latest, whole);
  return {header.cpu, whole};
}

bool Firings::has_more(const record::Header& header) const {
  return header.epid != 0 && header.epid <= schema_.epids.size() &&
         schema_.epids[header.epid - 1].has_more;
}

bool Firings::acts(const record::Header& header) const {
  if (record::kind_of(header) != record::Kind::kClause || header.epid == 0 ||
      header.epid > schema_.epids.size()) {
    return false;
  }
  const std::uint32_t layout = schema_.epids[header.epid - 1].layout;
  return layout < schema_.layouts.size() && record::acts_on_aggregations(schema_.layouts[layout]);
}

void Firings::add(Bytes bytes, const Consume& consume) {
  const std::uint64_t place = next_++;
  record::Header header{};
  if (bytes.size() >= sizeof header) {
    std::memcpy(&header, bytes.data(), sizeof header);
  }
  const FiringId firing = identify(header);
  const bool begins = firing.number != 0 && has_more(header) && acts(header);
  if (held_.empty() && !begins) {
    return consume(firing, bytes);
  }
  if (held_.empty()) {
    first_ = place;
  }
  held_.push_back({firing, {bytes.begin(), bytes.end()}, begins});
  if (firing.number != 0) {
    Group& group = groups_[firing];
    group.records.push_back(place);
    group.is_complete |= !begins && acts(header);
  }
  release(consume);
}

void Firings::settle(std::uint64_t taken, const Consume& consume) {
  settled_ = std::max(settled_, taken);
  release(consume);
}

// Consumes what is held back, up to the first record of a firing that is not complete. Records of
// other firings wait behind that record, so that the output keeps the order of the records. The
// wait ends: either the rest of the firing comes, or settle() says that nothing of it can come any
// more.
void Firings::release(const Consume& consume) {
  while (!held_.empty()) {
    Held& next = held_.front();
    if (!next.is_consumed) {
      if (next.begins) {
        if (!groups_[next.firing].is_complete && first_ >= settled_) {
          return;
        }
        consume_group(next.firing, consume);
      } else {
        forget(next.firing);
        consume(next.firing, next.bytes);
      }
    }
    held_.pop_front();
    ++first_;
  }
}

void Firings::consume_group(const FiringId& firing, const Consume& consume) {
  const auto found = groups_.find(firing);
  const Group group = std::move(found->second);
  groups_.erase(found);
  for (const std::uint64_t place : group.records) {
    Held& record = held(place);
    record.is_consumed = true;
    consume(record.firing, record.bytes);
  }
}

// The first of its firing's records is consumed by itself.
void Firings::forget(const FiringId& firing) {
  const auto found = groups_.find(firing);
  if (found == groups_.end()) {
    return;
  }
  found->second.records.pop_front();
  if (found->second.records.empty()) {
    groups_.erase(found);
  }
}

}  // namespace dt::consumer
