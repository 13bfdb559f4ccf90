// See term.h.

#include "exports/term.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "consumer/value/format.h"
#include "exports/code_style.h"
#include "support/shown.h"
#include "view/charts.h"

namespace dt::exports {
namespace {

constexpr std::string_view kLevels = " .:-=+*#%@";
// Cividis, which people see alike whatever colours they see, in the 256 colours of terminals.
constexpr int kPalette[] = {0, 17, 18, 24, 60, 66, 102, 143, 186, 228};
static_assert(kLevels.size() == std::size(kPalette));

constexpr std::size_t kSumColumns = 12;
constexpr std::size_t kWidestCell = 6;

// "\x1b[48;5;24m.\x1b[0m"
void append_coloured(std::string& out, int colour, std::string_view text) {
  out += fmt::format("\x1b[48;5;{}m{}\x1b[0m", colour, text);
}

// At most so many characters of it, padded to them.
std::string fitted(std::string_view text, std::size_t columns) {
  const std::string shown = support::shown_name(text);
  std::string out;
  std::size_t used = 0;
  for (std::size_t at = 0; at < shown.size() && used < columns; ++used) {
    const std::size_t length =
        std::min(std::max<std::size_t>(1, support::utf8_length(std::string_view(shown).substr(at))),
                 shown.size() - at);
    out.append(shown, at, length);
    at += length;
  }
  out.append(columns - used, ' ');
  return out;
}

// How many cells of one character a line has, between its time and its sum. A narrow terminal has
// less room for the sum.
std::size_t cells_within(TermStyle style) {
  const std::size_t taken = style.time_columns + std::min(kSumColumns, style.columns / 3);
  return style.columns > taken ? style.columns - taken : 1;
}

}  // namespace

std::size_t heat_level(std::uint64_t count, std::uint64_t most) {
  if (count == 0) return 0;
  if (count >= most) return kLevels.size() - 1;
  const double share = std::log2(static_cast<double>(count)) / std::log2(static_cast<double>(most));
  const auto steps = static_cast<double>(kLevels.size() - 2);
  return 1 + std::min(kLevels.size() - 2, static_cast<std::size_t>(share * steps));
}

void TermHeat::append_header(std::string& out) {
  // Room on both sides, so that buckets beside those seen need no new header.
  const std::size_t buckets = layout_.value_words;
  first_ = range_.first - std::min<std::size_t>(range_.first, 1);
  const std::size_t last = std::min(range_.last + 1, buckets - 1);
  const std::size_t count = last - first_ + 1;
  const std::size_t room = cells_within(style_);
  in_cell_ = (count + room - 1) / room;
  cells_ = (count + in_cell_ - 1) / in_cell_;
  width_ = std::clamp<std::size_t>(room / cells_, 1, kWidestCell);
  out += title_ + "\n" + std::string(style_.time_columns, ' ');
  std::size_t free_at = 0;
  for (std::size_t cell = 0; cell < cells_; ++cell) {
    const std::string label = consumer::bucket_label(layout_, first_ + cell * in_cell_);
    const std::size_t end = (cell + 1) * width_;
    if (label.size() + 1 > end - std::min(end, free_at)) continue;
    out.append(end - free_at - label.size(), ' ');
    out += label;
    free_at = end;
  }
  out += '\n';
}

void TermHeat::append_cell(std::string& out, std::uint64_t count) const {
  const std::size_t level = heat_level(count, most_);
  const std::string cell = std::string(width_ - 1, ' ') + kLevels[level];
  if (style_.has_colours && level > 0) {
    append_coloured(out, kPalette[level], cell);
  } else {
    out += cell;
  }
}

std::string TermHeat::line(std::string_view time, std::span<const std::uint64_t> words) {
  std::string out;
  const consumer::BucketRange before = range_;
  consumer::widen(range_, words);
  const bool is_new = range_.first < first_ || range_.last >= first_ + cells_ * in_cell_;
  if (!range_.empty() && (before.empty() || is_new)) append_header(out);
  out += fitted(time, style_.time_columns);
  std::vector<std::uint64_t> counts(cells_);
  std::uint64_t sum = 0;
  for (std::size_t bucket = first_; bucket < words.size() && !range_.empty(); ++bucket) {
    if (words[bucket] == 0) continue;
    counts[(bucket - first_) / in_cell_] += words[bucket];
    sum += words[bucket];
  }
  for (const std::uint64_t count : counts) most_ = std::max(most_, count);
  for (const std::uint64_t count : counts) append_cell(out, count);
  out += fmt::format("  {}\n", static_cast<std::int64_t>(sum));
  return out;
}

namespace {

class Icicle {
 public:
  Icicle(const view::FrameTree& tree, TermStyle style)
      : tree_(tree), style_(style), totals_(tree.totals()) {}

  std::string text() {
    const std::int64_t total = totals_[view::FrameTree::kRoot];
    rows_.push_back({{0, style_.columns, fmt::format("all {}", total), view::Code::kKey}});
    if (total > 0) place(view::FrameTree::kRoot, 0, 1);
    std::string out;
    for (const std::vector<Cell>& row : rows_) append_row(out, row);
    return out;
  }

 private:
  struct Cell {
    std::size_t begin, end;  // columns
    std::string name;
    view::Code code;
  };

  // The column at which `before` of all has been placed: rounded once, so that neighbours meet and
  // callees stay below their callers.
  std::size_t column(std::int64_t before) const {
    __extension__ typedef __int128 Wide;
    const Wide wide = static_cast<Wide>(before) * static_cast<Wide>(style_.columns);
    return static_cast<std::size_t>(wide / totals_[view::FrameTree::kRoot]);
  }

  void place(std::uint32_t node, std::int64_t before, std::size_t depth) {
    for (const std::uint32_t child : tree_.by_name(tree_.nodes()[node])) {
      const view::Frame& frame = tree_.frame(tree_.nodes()[child].frame);
      const std::size_t begin = column(before);
      const std::size_t end = column(before + totals_[child]);
      if (end > begin) {
        if (rows_.size() <= depth) rows_.emplace_back();
        rows_[depth].push_back({begin, end, std::string(view::shown_frame(frame)), frame.code});
        place(child, before, depth + 1);
      }
      before += totals_[child];
    }
  }

  void append_row(std::string& out, const std::vector<Cell>& row) const {
    std::size_t at = 0;
    for (const Cell& cell : row) {
      out.append(cell.begin - at, ' ');
      // A box begins with a bar, where there is room for more.
      const std::size_t width = cell.end - cell.begin;
      const std::string text = width == 1 ? "|" : "|" + fitted(cell.name, width - 1);
      if (style_.has_colours) {
        append_coloured(out, style_of(cell.code).term_colour, text);
      } else {
        out += text;
      }
      at = cell.end;
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    out += '\n';
  }

  const view::FrameTree& tree_;
  TermStyle style_;
  std::vector<std::int64_t> totals_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace

std::string term_flame(const view::FrameTree& tree, TermStyle style) {
  return Icicle(tree, style).text();
}

namespace {

std::string clock_text(std::int64_t time_ns) { return consumer::time_text(time_ns, "%H:%M:%S"); }

void append_level(std::string& out, std::size_t level, TermStyle style) {
  const std::string_view cell = kLevels.substr(level, 1);
  if (style.has_colours && level > 0) {
    append_coloured(out, kPalette[level], cell);
  } else {
    out += cell;
  }
}

}  // namespace

std::string term_samples(const view::Grid& grid, TermStyle style) {
  if (grid.cells.empty()) return "";
  const std::size_t room = cells_within(style);
  const std::size_t in_cell = (grid.rows.size() + room - 1) / room;
  const std::size_t cells = (grid.rows.size() + in_cell - 1) / in_cell;
  std::map<std::int64_t, std::vector<std::uint64_t>> lines;  // by begin
  std::uint64_t most = 0;
  for (const view::Grid::Cell& cell : grid.cells) {
    std::vector<std::uint64_t>& counts = lines[cell.begin_ns];
    counts.resize(cells);
    std::uint64_t& count = counts[cell.row / in_cell];
    count += static_cast<std::uint64_t>(cell.count);
    most = std::max(most, count);
  }
  const std::int64_t step = grid.cells.front().end_ns - grid.cells.front().begin_ns;
  std::string out = std::string(style.time_columns, ' ') + "0.00 s";
  constexpr std::size_t kEndColumns = 6;  // "0.98 s"
  if (cells >= 2 * kEndColumns) {
    out.append(cells - 2 * kEndColumns, ' ');
    out += fmt::format("{:.2f} s", static_cast<double>((cells - 1) * in_cell) / 50);
  }
  out += '\n';
  constexpr int kMostEmpty = 2;
  int empty = 0;
  for (std::int64_t at = lines.begin()->first; at <= lines.rbegin()->first; at += step) {
    const auto found = lines.find(at);
    empty = found == lines.end() ? empty + 1 : 0;
    if (empty > kMostEmpty) continue;
    out += fitted(clock_text(at), style.time_columns);
    std::uint64_t sum = 0;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const std::uint64_t count = empty != 0 ? 0 : found->second[cell];
      append_level(out, heat_level(count, most), style);
      sum += count;
    }
    out += fmt::format("  {}\n", sum);
  }
  return out;
}

namespace {

class LaneLines {
 public:
  LaneLines(const view::Lanes& lanes, std::int64_t begin_ns, std::int64_t end_ns, TermStyle style)
      : lanes_(lanes),
        style_(style),
        begin_(begin_ns),
        length_(std::max<std::int64_t>(end_ns - begin_ns, 1)) {
    label_columns_ = std::min(kLabelColumns, style.columns / 2);
    cells_ = style.columns - label_columns_;
    lines_.resize(lanes.rows.size());
    for (Line& line : lines_) line.busy_ns.resize(cells_);
  }

  std::string text() {
    for (const view::Lanes::Box& box : lanes_.boxes) add(box);
    std::string out;
    for (std::size_t row = 0; row < lines_.size(); ++row) append_line(out, row);
    const std::string scale =
        fmt::format("{}, {} a character\n", clock_text(begin_),
                    view::people_text(length_ / std::ssize(lines_[0].busy_ns), 1));
    if (label_columns_ + scale.size() <= style_.columns) out.append(label_columns_, ' ');
    return out + scale;
  }

 private:
  static constexpr std::size_t kLabelColumns = 18;
  static constexpr std::size_t kLeastNamed = 3;  // characters
  struct Named {
    std::size_t begin, end;
    const std::string* name;
  };
  struct Line {
    std::vector<double> busy_ns;  // by cell
    std::vector<Named> named;
  };

  double place(std::int64_t time_ns) const {
    const double at = static_cast<double>(time_ns - begin_) / static_cast<double>(length_);
    return std::clamp(at, 0.0, 1.0) * static_cast<double>(cells_);
  }

  // The busy part of a box is spread over its whole width.
  void add(const view::Lanes::Box& box) {
    Line& line = lines_[box.row];
    const double begin = place(box.begin_ns), end = std::max(place(box.end_ns), begin);
    const auto first = static_cast<std::size_t>(begin);
    const std::size_t last = std::min(static_cast<std::size_t>(end), cells_ - 1);
    if (!box.name.empty() && static_cast<std::size_t>(end) >= first + kLeastNamed) {
      line.named.push_back({first, static_cast<std::size_t>(end), &box.name});
    }
    const auto busy = static_cast<double>(std::max<std::int64_t>(box.busy_ns, 1));
    for (std::size_t cell = std::min(first, cells_ - 1); cell <= last; ++cell) {
      const auto at = static_cast<double>(cell);
      const double share = std::min(end, at + 1) - std::max(begin, at);
      line.busy_ns[cell] += end > begin ? busy * share / (end - begin) : busy;
    }
  }

  void append_line(std::string& out, std::size_t row) const {
    const Line& line = lines_[row];
    out += fitted(lanes_.rows[row], label_columns_ - 1) + " ";
    const double whole = static_cast<double>(length_) / static_cast<double>(cells_);
    std::size_t at = 0;
    for (const Named& named : line.named) {
      if (named.begin < at) continue;  // one that begins in the cell in which another one ends
      append_levels(out, line, at, named.begin, whole);
      const std::string text = "|" + fitted(*named.name, named.end - named.begin - 1);
      if (style_.has_colours) {
        append_coloured(out, kSpanColour, text);
      } else {
        out += text;
      }
      at = named.end;
    }
    append_levels(out, line, at, cells_, whole);
    while (out.back() == ' ') out.pop_back();
    out += '\n';
  }

  void append_levels(std::string& out, const Line& line, std::size_t from, std::size_t to,
                     double whole) const {
    constexpr std::size_t kMost = kLevels.size() - 1;
    for (std::size_t cell = from; cell < to; ++cell) {
      const double share = std::min(line.busy_ns[cell] / whole, 1.0);
      const auto level = static_cast<std::size_t>(share * static_cast<double>(kMost) + 0.5);
      append_level(out, line.busy_ns[cell] > 0 ? std::max<std::size_t>(level, 1) : 0, style_);
    }
  }

  static constexpr int kSpanColour = 24;
  const view::Lanes& lanes_;
  TermStyle style_;
  std::int64_t begin_, length_;
  std::size_t label_columns_ = 0;
  std::size_t cells_ = 0;
  std::vector<Line> lines_;
};

}  // namespace

std::string term_lanes(const view::Lanes& lanes, std::int64_t begin_ns, std::int64_t end_ns,
                       TermStyle style) {
  return lanes.boxes.empty() ? "" : LaneLines(lanes, begin_ns, end_ns, style).text();
}

std::string term_bar(std::int64_t value, std::int64_t most, std::size_t columns) {
  if (value <= 0 || most <= 0) return "";
  const double share = static_cast<double>(value) / static_cast<double>(most);
  const auto length = static_cast<std::size_t>(share * static_cast<double>(columns));
  return std::string(std::min(length, columns), '#');
}

}  // namespace dt::exports
