// See replayed_part.h.

#include "api/run/replayed_part.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "api/options/time_text.h"
#include "record/wire.h"
#include "recording/file.h"
#include "recording/reader.h"
#include "support/shown.h"

namespace dt::api {

using recording::Entry;

Status ReplayedPart::begin() {
  if (options_.range.empty()) return {};
  DT_ASSIGN(range_, parse_range(options_.range, head_.start_ns));
  is_in_range_ = has_begun_ = range_->has(head_.start_ns);
  for (const record::AggLayout& layout : schema_.aggregations) {
    const bool is_extreme =
        layout.func == record::AggFunc::kMin || layout.func == record::AggFunc::kMax;
    if (is_extreme && !layout.drained && !has_begun_) {
      callbacks_.say(fmt::format("range={}: {}() of @{} is that of all until then", options_.range,
                                 record::agg_func_name(layout.func),
                                 layout.name == "_" ? "" : support::shown_name(layout.name)));
    }
  }
  return {};
}

// A record without a time, as a fault, has that of the one before it.
bool ReplayedPart::shows(std::string_view record) {
  if (!range_) return true;
  record::Header header{};
  if (record.size() < sizeof header) return is_in_range_;
  std::memcpy(&header, record.data(), sizeof header);
  if (record::kind_of(header) != record::Kind::kClause || header.epid == 0 ||
      header.epid > schema_.epids.size()) {
    return is_in_range_;
  }
  const std::int64_t time =
      record::time_of(schema_.layouts[schema_.epids[header.epid - 1].layout],
                      {reinterpret_cast<const std::uint8_t*>(record.data()), record.size()});
  return time == 0 ? is_in_range_ : shows_at(time);
}

bool ReplayedPart::shows_at(std::int64_t time_ns) {
  if (range_) is_in_range_ = range_->has(time_ns);
  return is_in_range_;
}

void ReplayedPart::begin_again() {
  reads_.begin_again();
  has_begun_ = true;
  first_read_ns_ = reads_.time_ns();
}

// Aggregations were not read at just these times.
void ReplayedPart::say_range() const {
  const std::int64_t start = head_.start_ns;
  if (range_->begin_ns > reader_.time_ns() || range_->end_ns <= start) {
    callbacks_.say(
        fmt::format("range={}: nothing was recorded then; the recording goes from {} to {}",
                    options_.range, date_text(start), date_text(reader_.time_ns())));
    return;
  }
  if (schema_.aggregations.empty()) return;
  const auto since_start = [&](std::int64_t time) {
    return time == 0 ? 0.0 : static_cast<double>(time - start) / static_cast<double>(kSecondNs);
  };
  callbacks_.say(fmt::format(
      "range={}: aggregations have what was added from {:.3f} s to {:.3f} s, when they were read",
      options_.range, since_start(first_read_ns_), since_start(reads_.time_ns())));
}

bool ReplayedPart::leaves_out(const support::Tagged& entry) {
  if (!range_) return false;
  switch (static_cast<Entry>(entry.tag)) {
    case Entry::kRead: {
      const std::int64_t time = recording::KnownReads::time_of(entry.text);
      if (!has_begun_ && time >= range_->begin_ns) {
        begin_again();
      }
      return time >= range_->end_ns;
    }
    case Entry::kRefresh:
      return !has_begun_ || reads_.time_ns() >= range_->end_ns;
    case Entry::kMessage:
    case Entry::kInterrupted:
      return !is_in_range_;
    case Entry::kFinish:
      if (!has_begun_) begin_again();
      say_range();
      return false;
    default:
      return false;
  }
}

bool ReplayedPart::cut_drops(std::vector<std::uint64_t>& counters) {
  if (is_jump_ || (!is_in_range_ && !has_begun_)) before_ = counters;
  if (is_jump_ || !is_in_range_) return false;
  for (std::size_t i = 0; i < std::min(before_.size(), counters.size()); ++i) {
    counters[i] -= std::min(counters[i], before_[i]);
  }
  return true;
}

// Where nothing is missing, all that a segment repeats is known.
bool ReplayedPart::begin_segment() {
  is_jump_ = reader_.has_jumped();
  reads_.begin_segment();
  lacks_begin_ = lacks_begin_ || is_jump_;
  return is_jump_;
}

void ReplayedPart::begin_at_segment() {
  if (!std::exchange(is_jump_, false)) return;
  reads_.begin_again();
  first_read_ns_ = reads_.time_ns();
}

}  // namespace dt::api
