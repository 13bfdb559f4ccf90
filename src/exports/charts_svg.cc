// See charts_svg.h.
//
//     title                                  each chart: its title and note, then what it shows
//     from when, how long, what was lost     between kLeft and kRight, with the names of rows
//     chart                                  left of it and the axis of time below
//     chart

#include "exports/charts_svg.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "exports/xml.h"

namespace dt::exports {
namespace {

using view::Bars;
using view::Chart;
using view::Curves;
using view::Grid;
using view::Lanes;

constexpr double kWidth = 1200, kLeft = 150, kRight = 1190;
constexpr double kInner = kRight - kLeft;
constexpr double kRow = 16, kLineHeight = 200, kAxis = 26, kGap = 14;
constexpr double kHighest = 420;  // a grid
constexpr double kLetter = 6.7;
constexpr std::size_t kLabelLetters = 21;
constexpr std::size_t kTitleLetters = 170;

constexpr std::string_view kStyle =
    "text{font:11px Verdana,sans-serif;fill:#111}.ground{fill:#fff}.title{font-size:15px}"
    ".chart{font-size:13px}.dim{fill:#555}.end{text-anchor:end}.mid{text-anchor:middle}"
    ".axis{stroke:#999;stroke-width:1;fill:none}.grid{stroke:#e4e4e4;stroke-width:1}"
    "rect[data-n]{shape-rendering:crispEdges}.plot{fill:#f6f6f4}.line{fill:none;stroke-width:1.5}"
    "rect[data-n]:hover{stroke:#000}";

// Okabe-Ito, as the page has them.
constexpr std::array<const char*, 8> kHues = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                              "#56b4e9", "#d55e00", "#b8a800", "#8a8f98"};
const char* hue(std::size_t number) { return kHues[std::min(number, kHues.size() - 1)]; }
// Of letters on a hue: with a contrast of 4.5 at least, as WCAG 2 wants it. An attribute would be
// less than what kStyle says of texts.
const char* ink_on(std::size_t number) { return number == 0 ? "style=\"fill:#fff\"" : ""; }

// Cividis (Nunez, Anderton, Renslow 2018) from much to little, as the ground is white.
std::string shade(double level) {
  constexpr int kPlaces[][3] = {{255, 233, 69},  {196, 181, 108}, {166, 157, 117},
                                {138, 134, 120}, {112, 113, 115}, {87, 93, 109},
                                {57, 72, 107},   {0, 52, 110},    {0, 32, 76}};
  constexpr std::size_t kLast = std::size(kPlaces) - 1;
  const double at = std::clamp(level, 0.0, 1.0) * static_cast<double>(kLast);
  const auto i = std::min(kLast - 1, static_cast<std::size_t>(at));
  const double part = at - static_cast<double>(i);
  const auto mixed = [&](int c) {
    return std::lround(kPlaces[i][c] + (kPlaces[i + 1][c] - kPlaces[i][c]) * part);
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2));
}

// Of a key: its hue, the stronger the more there is, on a ground that is white. Weak ones are still
// seen.
std::string shade_of_key(std::size_t key, double level) {
  unsigned colour = 0;
  const std::string_view hex = hue(key);
  std::from_chars(hex.data() + 1, hex.data() + hex.size(), colour, 16);
  constexpr double kLeast = 0.18;
  const double part = kLeast + (1 - kLeast) * std::clamp(level, 0.0, 1.0);
  const auto mixed = [&](unsigned shift) {
    const double channel = colour >> shift & 0xff;
    return std::lround(255 + (channel - 255) * part);
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(16), mixed(8), mixed(0));
}

// 1, 2 or 5 times a power of ten, such that about `parts` of them make `whole`.
double step_of(double whole, double parts) {
  const double least = whole / parts;
  const double power = std::pow(10, std::floor(std::log10(std::max(least, 1e-9))));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (power * factor >= least) return power * factor;
  }
  return power * 10;
}

class Drawing {
 public:
  Drawing(const view::Charts& charts) : charts_(charts) {
    const auto length = static_cast<double>(charts.end_ns - charts.begin_ns);
    const std::pair<double, const char*> units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
    for (const auto& [size, name] : units) {
      if (length < size) continue;
      unit_ns_ = size;
      unit_ = name;
      break;
    }
  }

  std::string document(std::string_view title, std::uint64_t dropped) {
    text("title", kWidth / 2 - 590, 22, one_line(title), kTitleLetters * 7 / 10);
    const auto seconds = static_cast<std::time_t>(charts_.begin_ns / 1'000'000'000);
    std::tm utc{};
    ::gmtime_r(&seconds, &utc);
    text("dim", kWidth / 2 - 590, 40,
         fmt::format("from {:%Y-%m-%d %H:%M:%S} UTC, {}; {} dropped", utc,
                     view::people_text(charts_.end_ns - charts_.begin_ns, 1), grouped(dropped)),
         kTitleLetters);
    top_ = 60;
    for (const Chart& chart : charts_.charts) draw(chart);
    return fmt::format(
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "
               "xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
               "width=\"{0:.0f}\" height=\"{1:.0f}\">\n<style>{2}</style>\n"
               "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n",
               kWidth, top_, kStyle) +
           out_ + "</svg>\n";
  }

 private:
  void text(std::string_view style, double x, double y, std::string_view words,
            std::size_t letters) {
    out_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", style, x, y,
                        xml_label(words, letters));
  }
  void label(double y, std::string_view words, std::string_view whole) {
    out_ +=
        fmt::format("<text class=\"end\" x=\"{:.1f}\" y=\"{:.1f}\">{}<title>{}</title></text>\n",
                    kLeft - 6, y, xml_label(words, kLabelLetters), xml_text(whole));
  }
  struct Box {
    double x, y, width, height;
    std::int64_t number;  // that it stands for
  };
  void box(const Box& at, std::string_view fill, std::string_view about) {
    out_ += fmt::format(
        "<rect data-n=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
        "fill=\"{}\"><title>{}</title></rect>\n",
        at.number, at.x, at.y, at.width, at.height, fill, xml_text(about));
  }

  double x_of(std::int64_t time_ns) const {
    const auto length = static_cast<double>(charts_.end_ns - charts_.begin_ns);
    return kLeft +
           kInner * std::clamp(static_cast<double>(time_ns - charts_.begin_ns) / length, 0.0, 1.0);
  }
  std::string since(std::int64_t time_ns) const {
    return fmt::format("{:.6g} {}", static_cast<double>(time_ns - charts_.begin_ns) / unit_ns_,
                       unit_);
  }

  void draw(const Chart& chart) {
    out_ += fmt::format("<g data-chart=\"{}\">\n", xml_text(chart.title));
    text("chart", 10, top_ + 12, chart.title, kTitleLetters);
    top_ += 20;
    std::string note = chart.note;
    const auto left_out = [&](std::size_t count, const char* of) {
      if (count == 0) return;
      note += fmt::format("{}{} {} are not shown", note.empty() ? "" : "; ", count, of);
    };
    if (const Curves* const lines = std::get_if<Curves>(&chart.shape)) {
      left_out(lines->left_out, "smaller keys");
    } else if (const Lanes* const lanes = std::get_if<Lanes>(&chart.shape)) {
      left_out(lanes->left_out, "less busy lanes");
    } else if (const Bars* const bars = std::get_if<Bars>(&chart.shape)) {
      left_out(bars->left_out, "smaller keys");
    }
    if (chart.empty()) note += note.empty() ? "nothing was recorded" : "; nothing was recorded";
    if (!note.empty()) {
      text("dim", 10, top_ + 10, note, kTitleLetters);
      top_ += 16;
    }
    if (!chart.empty()) {
      std::visit([&](const auto& shape) { show(chart, shape); }, chart.shape);
    }
    out_ += "</g>\n";
    top_ += kGap;
  }

  // The ground of a chart with time, and its axis below.
  void plot(double height) {
    out_ +=
        fmt::format("<rect class=\"plot\" x=\"{}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\"/>\n",
                    kLeft, top_, kInner, height);
    const double length = static_cast<double>(charts_.end_ns - charts_.begin_ns) / unit_ns_;
    const double step = step_of(length, 10);
    for (int i = 0; step * i <= length; ++i) {
      const double x = kLeft + kInner * step * i / length;
      const std::string name = fmt::format("{:.6g} {}", step * i, unit_);
      // The last one would be cut by the edge.
      const bool is_whole = x + static_cast<double>(name.size()) * kLetter / 2 <= kWidth;
      out_ += fmt::format(
          "<path class=\"grid\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/><text class=\"{3} dim\" "
          "x=\"{4:.1f}\" y=\"{5:.1f}\">{6}</text>\n",
          x, top_, top_ + height, is_whole ? "mid" : "end", is_whole ? x : kWidth - 2,
          top_ + height + 13, name);
    }
  }

  void show(const Chart&, const Grid& grid) {
    const auto rows = static_cast<double>(std::max<std::size_t>(grid.rows.size(), 1));
    const double height = std::min(rows * kRow, kHighest), row = height / rows;
    std::vector<std::string> names = grid.keys;
    if (grid.more_keys != 0) names.push_back(fmt::format("{} more", grid.more_keys));
    legend(names);
    plot(height);
    const double bottom = top_ + height;
    const auto each = static_cast<std::size_t>(std::ceil(11 / row));
    for (std::size_t i = 0; i < grid.rows.size(); i += each) {
      label(bottom - (static_cast<double>(i) + 0.5) * row + 4, grid.rows[i].label,
            grid.rows[i].about);
    }
    std::int64_t most = 1;
    for (const Grid::Cell& cell : grid.cells) most = std::max(most, cell.count);
    for (const Grid::Cell& cell : grid.cells) {
      const double x = x_of(cell.begin_ns), end = x_of(cell.end_ns);
      const double level =
          most == 1 ? 1
                    : std::log1p(static_cast<double>(std::max<std::int64_t>(cell.count, 0))) /
                          std::log1p(static_cast<double>(most));
      box({x, bottom - (cell.row + 1.0) * row, std::max(end - x, 1.0), row, cell.count},
          grid.keys.empty() ? shade(level) : shade_of_key(cell.key, level),
          fmt::format("{}: {} from {} to {}{}{}", grid.rows[cell.row].about,
                      grouped_signed(cell.count), since(cell.begin_ns), since(cell.end_ns),
                      cell.about.empty() ? "" : "; ", cell.about));
    }
    top_ = bottom + kAxis;
  }

  // The names of several, beside their hues.
  void legend(const std::vector<std::string>& names) {
    if (names.size() < 2) return;
    double x = kLeft;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string& name = names[i];
      const std::size_t letters = std::min<std::size_t>(name.size(), 30);
      const double width = static_cast<double>(letters) * kLetter + 28;
      if (x + width > kRight && x > kLeft) {
        x = kLeft;
        top_ += 15;
      }
      out_ +=
          fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"10\" height=\"10\" fill=\"{}\"/>", x,
                      top_, hue(i));
      text("", x + 14, top_ + 9, name, 30);
      x += width;
    }
    top_ += 18;
  }

  void show(const Chart& chart, const Curves& lines) {
    std::vector<std::string> names;
    for (const Curves::Line& line : lines.lines) names.push_back(line.name);
    legend(names);
    double low = 0, high = 0;
    for (const Curves::Line& line : lines.lines) {
      for (const auto& point : line.points) {
        low = std::min(low, static_cast<double>(point.value));
        high = std::max(high, static_cast<double>(point.value));
      }
    }
    if (high == low) high = low + 1;
    plot(kLineHeight);
    const double bottom = top_ + kLineHeight;
    const auto y_of = [&](double value) {
      return bottom - kLineHeight * (value - low) / (high - low);
    };
    const double step = step_of(high - low, 5);
    for (double value = std::ceil(low / step) * step; value <= high; value += step) {
      out_ += fmt::format("<path class=\"grid\" d=\"M{} {:.1f}H{}\"/>", kLeft, y_of(value), kRight);
      const std::string name = fmt::format("{:.6g}{}{}", value == 0 ? 0.0 : value,
                                           chart.unit.empty() ? "" : " ", chart.unit);
      label(y_of(value) + 4, name, name);
    }
    for (std::size_t i = 0; i < lines.lines.size(); ++i) {
      draw_line(lines.lines[i], hue(i), lines.is_area ? y_of(0) : 0, y_of, chart.unit);
    }
    top_ = bottom + kAxis;
  }

  template <typename Height>
  void draw_line(const Curves::Line& line, std::string_view colour, double area_y,
                 const Height& y_of, const std::string& unit) {
    std::string path, points;
    for (std::size_t i = 0; i < line.points.size(); ++i) {
      const auto& point = line.points[i];
      const double begin = x_of(point.begin_ns), end = x_of(point.time_ns);
      const double x = (begin + end) / 2, y = y_of(static_cast<double>(point.value));
      path += fmt::format("{}{:.1f} {:.1f}", i == 0 || point.has_gap ? "M" : "L", begin, y);
      // As wide as its column: so one that is short, as the last, is seen to be short.
      if (end > begin) path += fmt::format("H{:.1f}", end);
      points += fmt::format(
          "<circle data-n=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\" fill=\"{}\"><title>{}{}{}{} "
          "{}</title></circle>\n",
          point.value, x, y, colour, xml_text(line.name), line.name.empty() ? "" : ": ",
          grouped_signed(point.value), unit.empty() ? "" : " " + unit,
          point.begin_ns == point.time_ns
              ? "at " + since(point.time_ns)
              : fmt::format("from {} to {}", since(point.begin_ns), since(point.time_ns)));
    }
    if (area_y != 0 && !line.points.empty()) {
      out_ += fmt::format("<path d=\"{}V{:.1f}H{:.1f}Z\" fill=\"{}\" opacity=\"0.25\"/>\n", path,
                          area_y, x_of(line.points.front().begin_ns), colour);
    }
    out_ += fmt::format("<path class=\"line\" stroke=\"{}\" d=\"{}\"/>\n", colour, path) + points;
  }

  // The names that take the most time have hues.
  std::map<std::string, std::size_t> hues_of(const Lanes& lanes) {
    std::vector<std::string> names;
    for (const auto& [name, busy_ns] : lanes.busy_ns) names.push_back(name);
    std::ranges::stable_sort(names, [&](const std::string& a, const std::string& b) {
      return lanes.busy_ns.at(a) > lanes.busy_ns.at(b);
    });
    std::map<std::string, std::size_t> hues;
    for (const std::string& name : names) hues.emplace(name, hues.size());
    if (names.size() > kHues.size() - 1) {
      const std::size_t more = names.size() - (kHues.size() - 1);
      names.resize(kHues.size() - 1);
      names.push_back(fmt::format("{} more", more));
    }
    legend(names);
    return hues;
  }

  void show(const Chart&, const Lanes& lanes) {
    const std::map<std::string, std::size_t> hues = hues_of(lanes);
    const double height = static_cast<double>(lanes.rows.size()) * kRow;
    plot(height);
    for (std::size_t i = 0; i < lanes.rows.size(); ++i) {
      if (lanes.rows[i].empty()) continue;
      const double y = top_ + static_cast<double>(i) * kRow;
      label(y + 12, lanes.rows[i], lanes.rows[i]);
      out_ += fmt::format("<path class=\"grid\" d=\"M10 {:.1f}H{}\"/>\n", y, kRight);
    }
    for (const Lanes::Box& box : lanes.boxes) draw_box(box, hues);
    top_ += height + kAxis;
  }

  static bool is_of_several(const Lanes::Box& box) {
    return box.name.empty() && box.count > 0 && box.about.empty();
  }

  // Boxes of one name have one colour. Several that are too narrow to be seen have that of the name
  // that takes the most of their time, the stronger the more of their place they fill.
  void draw_box(const Lanes::Box& lane_box, const std::map<std::string, std::size_t>& hues) {
    const double x = x_of(lane_box.begin_ns), end = x_of(lane_box.end_ns);
    const double y = top_ + lane_box.row * kRow;
    const double width = std::max(end - x, 1.0);
    if (is_of_several(lane_box)) {
      const double length =
          static_cast<double>(std::max<std::int64_t>(lane_box.end_ns - lane_box.begin_ns, 1));
      const double share = std::min(1.0, static_cast<double>(lane_box.busy_ns) / length);
      box({x, y, width, kRow - 1, static_cast<std::int64_t>(lane_box.count)},
          shade_of_key(hues.at(lane_box.most), share),
          fmt::format("{} spans, {} in all, most of it {}, from {} to {}", grouped(lane_box.count),
                      view::people_text(lane_box.busy_ns, 1),
                      lane_box.most.empty() ? "(empty)" : lane_box.most, since(lane_box.begin_ns),
                      since(lane_box.end_ns)));
      return;
    }
    const std::size_t colour = hues.at(lane_box.name);
    box({x, y, width, kRow - 1, 1}, hue(colour),
        fmt::format("{}: {} ns from {}{}{}", lane_box.name, grouped_signed(lane_box.busy_ns),
                    since(lane_box.begin_ns), lane_box.about.empty() ? "" : "; ", lane_box.about));
    const auto letters = static_cast<std::size_t>(std::max(0.0, (width - 6) / kLetter));
    if (letters >= 3) {
      out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {} pointer-events=\"none\">{}</text>\n",
                          x + 3, y + 11, ink_on(colour), xml_label(lane_box.name, letters));
    }
  }

  void show(const Chart& chart, const Bars& bars) {
    for (const Bars::Group& group : bars.groups) {
      if (!group.name.empty()) {
        text("", kLeft, top_ + 11, group.name, kTitleLetters - 20);
        top_ += 16;
      }
      double low = 0, high = 0;
      for (const Bars::Bar& bar : group.bars) {
        if (bar.is_of_others) continue;  // so that those of keys are not small beside it
        low = std::min(low, static_cast<double>(bar.value));
        high = std::max(high, static_cast<double>(bar.value));
      }
      // Room for the numbers at the right.
      const double scale = high == low ? 0 : (kInner - 140) / (high - low);
      for (const Bars::Bar& bar : group.bars) {
        const auto whole = static_cast<double>(bar.value);
        const double zero = kLeft - low * scale, drawn = std::clamp(whole, low, high);
        const double size = drawn * scale;
        const std::string about =
            fmt::format("{}{}{}", bar.name, bar.about.empty() ? "" : ": ", bar.about);
        const std::string value = fmt::format("{}{}{}", grouped_signed(bar.value),
                                              chart.unit.empty() || is_counted(chart) ? "" : " ",
                                              is_counted(chart) ? "" : chart.unit);
        label(top_ + 11, bar.name.empty() ? "all" : bar.name, about);
        const double width = std::max(std::abs(size), bar.value == 0 ? 0 : 0.5);
        box({std::min(zero, zero + size), top_, width, kRow - 3, bar.value},
            hue(bar.is_of_others ? kHues.size() - 1 : 0), about + ": " + value);
        show_value(std::min(zero, zero + size), std::max(zero, zero + size),
                   drawn == whole ? value : value + ", the bar is cut");
        top_ += kRow;
      }
      top_ += 6;
    }
  }
  // Behind its bar; where there is no room, within it or before it.
  void show_value(double begin, double end, std::string_view value) {
    const double width = static_cast<double>(value.size()) * kLetter;
    if (end + 5 + width <= kWidth) {
      text("dim", end + 5, top_ + 11, value, 40);
      return;
    }
    const bool is_within = end - begin > width + 10;
    out_ += fmt::format(
        "<text class=\"end\" x=\"{:.1f}\" y=\"{:.1f}\" {} pointer-events=\"none\">{}</text>\n",
        is_within ? end - 5 : begin - 5, top_ + 11, is_within ? ink_on(0) : "", xml_text(value));
  }

  // Of a histogram, the unit is that of its buckets.
  static bool is_counted(const Chart& chart) { return chart.is_histogram; }

  const view::Charts& charts_;
  std::string out_;
  double top_ = 0;
  double unit_ns_ = 1;
  const char* unit_ = "ns";
};

}  // namespace

std::string charts_svg(const view::Charts& charts, std::string_view title, std::uint64_t dropped) {
  return Drawing(charts).document(title, dropped);
}

}  // namespace dt::exports
