// Charts of records; see charts.h.

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <set>

#include "support/shown.h"
#include "view/charts.h"

namespace dt::view {
namespace {

constexpr std::size_t kMostLanes = 60;  // rows of a timeline
constexpr std::uint32_t kMostDepth = 8;
constexpr std::size_t kValueRows = 40;
constexpr std::uint32_t kScopeRows = 50;
constexpr std::int64_t kSecondNs = 1'000'000'000;

__extension__ typedef __int128 Wide;

// Columns of equal length between two times.
class Places {
 public:
  Places(std::int64_t begin_ns, std::int64_t end_ns, std::size_t count)
      : begin_(begin_ns), length_(std::max<std::int64_t>(end_ns - begin_ns, 1)), count_(count) {}
  std::size_t of(std::int64_t time_ns) const {
    const Wide at = (static_cast<Wide>(time_ns) - begin_) * static_cast<Wide>(count_) / length_;
    return static_cast<std::size_t>(std::clamp<Wide>(at, 0, static_cast<Wide>(count_ - 1)));
  }
  std::int64_t begin(std::size_t place) const {
    return begin_ + static_cast<std::int64_t>(static_cast<Wide>(place) * length_ /
                                              static_cast<Wide>(count_));
  }
  std::int64_t length() const { return length_ / static_cast<std::int64_t>(count_); }

 private:
  std::int64_t begin_, length_;
  std::size_t count_;
};

std::string lane_text(const Timeline& timeline, const LaneId& lane) {
  if (lane.kind == LaneId::Kind::kCpu) return fmt::format("CPU {}", lane.thread);
  const std::string& known = timeline.name_of(lane.process, lane.thread);
  return fmt::format("{} {}", known.empty() ? "thread" : known, lane.thread);
}

std::string detail_text(const Timeline& timeline, const Detail& detail) {
  switch (detail.kind) {
    case Detail::Kind::kSigned:
      return std::to_string(static_cast<std::int64_t>(detail.number));
    case Detail::Kind::kUnsigned:
      return std::to_string(detail.number);
    case Detail::Kind::kText:
      return timeline.text(static_cast<std::uint32_t>(detail.number));
  }
  return "";
}

std::string details_text(const Timeline& timeline, std::uint32_t first, std::uint32_t count) {
  std::string text;
  for (std::uint32_t i = first; i < first + count; ++i) {
    const Detail& detail = timeline.detail(i);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", timeline.text(detail.name),
                        detail_text(timeline, detail));
  }
  return text;
}

// Which lanes have the most time, of as many rows as there is room for.
std::set<LaneId> busiest_lanes(const Timeline& timeline, std::size_t& left_out) {
  std::map<LaneId, std::int64_t> busy;
  for (const Slice& slice : timeline.slices()) busy[slice.lane] += slice.end_ns - slice.begin_ns;
  std::vector<std::pair<std::int64_t, LaneId>> order;
  for (const auto& [lane, time] : busy) order.emplace_back(-time, lane);
  std::ranges::sort(order, [](const auto& a, const auto& b) { return a < b; });
  left_out = order.size() - std::min(order.size(), kMostLanes);
  std::set<LaneId> lanes;
  for (std::size_t i = 0; i < order.size() - left_out; ++i) lanes.insert(order[i].second);
  return lanes;
}

// The rows of the lanes, and which one a slice is on.
class Rows {
 public:
  explicit Rows(Lanes& lanes) : lanes_(lanes) {}
  std::uint32_t of(const Timeline& timeline, const Slice& slice, std::uint32_t depth) {
    const auto key = std::tuple(slice.lane, slice.sibling, std::min(depth, kMostDepth));
    if (const auto found = rows_.find(key); found != rows_.end()) return found->second;
    const auto row = static_cast<std::uint32_t>(lanes_.rows.size());
    const bool is_first = lanes_.rows.empty() || !(last_ == slice.lane);
    lanes_.rows.push_back(is_first ? lane_text(timeline, slice.lane) : "");
    last_ = slice.lane;
    rows_.emplace(key, row);
    return row;
  }

 private:
  Lanes& lanes_;
  LaneId last_;
  std::map<std::tuple<LaneId, std::uint32_t, std::uint32_t>, std::uint32_t> rows_;
};

// What a cell of moments has.
struct Met {
  std::int64_t count = 0, low = 0, high = 0;
  const Moment* first = nullptr;
};

// The first number of a moment: its place in height.
std::optional<std::int64_t> number_of(const Timeline& timeline, const Moment& moment) {
  for (std::uint32_t i = moment.first_detail; i < moment.first_detail + moment.details; ++i) {
    const Detail& detail = timeline.detail(i);
    if (detail.kind == Detail::Kind::kText) continue;
    const bool is_large = detail.kind == Detail::Kind::kUnsigned && detail.number >> 63 != 0;
    return is_large ? std::numeric_limits<std::int64_t>::max()
                    : static_cast<std::int64_t>(detail.number);
  }
  return std::nullopt;
}

// Rows of equal height, or, where the largest is far from the others, of powers of two, with one
// row for what is below 0.
class Heights {
 public:
  Heights(std::int64_t low, std::int64_t high) : low_(low), high_(high) {
    constexpr Wide kFar = 1000;
    is_power_ =
        high > 0 && static_cast<Wide>(high) > kFar * std::max<Wide>(low < 0 ? -Wide{low} : low, 1);
    const Wide span = static_cast<Wide>(high) - low + 1;
    step_ = (span + static_cast<Wide>(kValueRows) - 1) / static_cast<Wide>(kValueRows);
  }
  std::uint32_t of(std::int64_t value) const {
    if (!is_power_) return static_cast<std::uint32_t>((static_cast<Wide>(value) - low_) / step_);
    if (low_ >= 0) return width(value) - width(low_);
    return value < 0 ? 0 : width(value) + 1;
  }
  std::vector<Grid::Row> rows() const {
    std::vector<Grid::Row> rows;
    for (std::uint32_t row = 0; row <= of(high_); ++row) {
      const auto [first, last] = ends(row);
      const auto from = static_cast<std::int64_t>(first);
      const auto to = static_cast<std::int64_t>(std::min<Wide>(last, high_));
      rows.push_back({std::to_string(from),
                      from == to ? std::to_string(from) : fmt::format("{} to {}", from, to)});
    }
    return rows;
  }

 private:
  std::pair<Wide, Wide> ends(std::uint32_t row) const {
    if (!is_power_) return {low_ + row * step_, low_ + (row + 1) * step_ - 1};
    if (low_ < 0 && row == 0) return {low_, -1};
    const std::uint32_t at = low_ < 0 ? row - 1 : row + width(low_);
    return {begin(at), begin(at + 1) - 1};
  }
  static std::uint32_t width(std::int64_t value) {
    return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(value)));
  }
  static Wide begin(std::uint32_t width) { return width == 0 ? 0 : Wide{1} << (width - 1); }

  std::int64_t low_, high_;
  bool is_power_ = false;
  Wide step_ = 1;
};

// By lane, its row: those with the most moments have rows of their own, in their order.
std::map<LaneId, std::uint32_t> rows_of_lanes(const Timeline& timeline,
                                              std::vector<Grid::Row>& rows) {
  std::map<LaneId, std::int64_t> counts;
  for (const Moment& moment : timeline.moments()) ++counts[moment.lane];
  std::vector<std::pair<std::int64_t, LaneId>> order;
  for (const auto& [lane, count] : counts) order.emplace_back(-count, lane);
  std::ranges::sort(order, [](const auto& a, const auto& b) { return a < b; });
  std::map<LaneId, std::uint32_t> lanes;
  for (std::size_t i = 0; i < std::min(order.size(), kMostLanes); ++i) lanes[order[i].second] = 0;
  for (auto& [lane, row] : lanes) {
    row = static_cast<std::uint32_t>(rows.size());
    const std::string name = lane_text(timeline, lane);
    rows.push_back({name, name});
  }
  if (order.size() <= kMostLanes) return lanes;
  const std::string name = fmt::format("({} others)", order.size() - kMostLanes);
  for (std::size_t i = kMostLanes; i < order.size(); ++i) {
    lanes[order[i].second] = static_cast<std::uint32_t>(rows.size());
  }
  rows.push_back({name, name});
  return lanes;
}

}  // namespace

// Slices that are narrower than a column are added up by column.
void add_slices(Lanes& lanes, const Timeline& timeline, std::int64_t begin_ns,
                std::int64_t end_ns) {
  const std::set<LaneId> shown = busiest_lanes(timeline, lanes.left_out);
  const Places places(begin_ns, end_ns, kChartColumns);
  Rows rows(lanes);
  struct Narrow {
    Lanes::Box box;
    std::map<std::uint32_t, std::int64_t> busy_ns;  // by name
  };
  std::map<std::pair<std::uint32_t, std::size_t>, Narrow> narrow;
  std::map<std::uint32_t, std::int64_t> busy_ns;
  std::uint32_t depth = 0;
  walk_slices(
      timeline,
      [&](const Slice& slice) {
        const std::uint32_t at = depth++;
        if (!shown.contains(slice.lane)) return;
        const std::uint32_t row = rows.of(timeline, slice, at);
        const std::int64_t length = slice.end_ns - slice.begin_ns;
        busy_ns[slice.name] += length;
        if (length < places.length()) {
          const std::size_t place = places.of(slice.begin_ns);
          const auto [at_place, is_new] = narrow.try_emplace({row, place});
          Lanes::Box& box = at_place->second.box;
          if (is_new) box = {places.begin(place), places.begin(place + 1), row, 0, 0, {}};
          ++box.count;
          box.busy_ns += length;
          at_place->second.busy_ns[slice.name] += length;
          return;
        }
        std::string about = details_text(timeline, slice.first_detail, slice.details);
        if (slice.open == Slice::Open::kAtStart) about += " (it began before)";
        if (slice.open == Slice::Open::kAtEnd) about += " (it had not ended)";
        lanes.boxes.push_back({slice.begin_ns, slice.end_ns, row, 1, length,
                               timeline.text(slice.name), std::move(about)});
      },
      [&](const Slice&) { --depth; });
  for (auto& [at, several] : narrow) {
    const auto most =
        std::ranges::max_element(several.busy_ns, {}, [](const auto& name) { return name.second; });
    several.box.most = timeline.text(most->first);
    lanes.boxes.push_back(std::move(several.box));
  }
  for (const auto& [name, ns] : busy_ns) lanes.busy_ns[timeline.text(name)] += ns;
  std::ranges::stable_sort(lanes.boxes, [](const Lanes::Box& a, const Lanes::Box& b) {
    return std::pair(a.row, a.begin_ns) < std::pair(b.row, b.begin_ns);
  });
}

void add_moments(Grid& grid, const Timeline& timeline, std::int64_t begin_ns, std::int64_t end_ns) {
  if (timeline.moments().empty()) return;
  std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = -low - 1;
  bool has_numbers = true;
  for (const Moment& moment : timeline.moments()) {
    const auto number = number_of(timeline, moment);
    has_numbers = has_numbers && number;
    low = std::min(low, number.value_or(0));
    high = std::max(high, number.value_or(0));
  }
  const Heights heights(low, high);
  std::map<LaneId, std::uint32_t> lanes;
  if (has_numbers) {
    grid.rows = heights.rows();
  } else {
    lanes = rows_of_lanes(timeline, grid.rows);
  }
  const Places places(begin_ns, end_ns, kChartColumns);
  std::map<std::pair<std::size_t, std::uint32_t>, Met> cells;
  for (const Moment& moment : timeline.moments()) {
    const std::int64_t value = number_of(timeline, moment).value_or(0);
    Met& met =
        cells[{places.of(moment.time_ns), has_numbers ? heights.of(value) : lanes.at(moment.lane)}];
    if (met.count++ == 0) met.first = &moment;
  }
  for (const auto& [at, met] : cells) {
    grid.cells.push_back(
        {places.begin(at.first), places.begin(at.first + 1), at.second, met.count,
         met.count == 1
             ? fmt::format("{}: {}", timeline.text(met.first->name),
                           details_text(timeline, met.first->first_detail, met.first->details))
             : ""});
  }
}

// As FlameScope draws them: a column is a second, or as many as the picture has room for, and a row
// a fiftieth of a second.
void add_samples(Grid& grid, const Timeline& timeline, std::int64_t begin_ns, std::int64_t end_ns) {
  constexpr std::int64_t kRowNs = kSecondNs / kScopeRows;
  const auto in_column =
      static_cast<std::int64_t>(
          (end_ns - begin_ns) / kSecondNs / static_cast<std::int64_t>(kChartColumns) + 1) *
      kSecondNs;
  for (std::uint32_t row = 0; row < kScopeRows; ++row) {
    grid.rows.push_back({fmt::format("0.{:02} s", row * 2),
                         fmt::format("0.{:02} s to {:.2f} s", row * 2, (row + 1) * 0.02)});
  }
  std::map<std::pair<std::int64_t, std::uint32_t>, std::int64_t> cells;
  for (const Moment& moment : timeline.moments()) {
    // Of a damaged recording, one may be before all.
    const std::int64_t since = std::clamp(moment.time_ns, begin_ns, end_ns) - begin_ns;
    ++cells[{since / in_column, static_cast<std::uint32_t>(since % kSecondNs / kRowNs)}];
  }
  for (const auto& [at, count] : cells) {
    grid.cells.push_back({begin_ns + at.first * in_column, begin_ns + (at.first + 1) * in_column,
                          at.second, count, ""});
  }
}

}  // namespace dt::view
