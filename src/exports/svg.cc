// A flame graph: a box for each frame, as wide as its share of the whole, above the box of its
// caller.
//
//     |  read  |          |      a box's x and width, in pixels of the whole width:
//     |  main             |        x = what stands before it * width / total
//     |  sh               |        width = its total * width / total
//     |  all              |
//
// The boxes say what they are in attributes (data-n: the weight, exact), and the script in the
// document only moves them.

#include <fmt/core.h>

#include <algorithm>

#include "exports/flame_script.h"
#include "exports/picture.h"
#include "support/shown.h"

namespace dt::exports {
namespace {

using view::Code;
using view::FrameTree;

constexpr double kWidth = 1200;
constexpr int kRow = 17, kTop = 44, kBottom = 26, kSide = 10;
constexpr double kInner = kWidth - 2 * kSide;
constexpr double kLetter = 6.7, kMargin = 6;  // of labels, which are not in boxes for fewer letters
constexpr std::size_t kLeastLetters = 3;
// Narrower boxes are none: what is in them is one box for each caller.
constexpr std::int64_t kFinest = 20'000;

struct Box {
  std::string name;
  std::string style;
  std::int64_t before = 0;  // what stands left of it
  std::int64_t total = 0;
  int depth = 0;
};

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Text of XML: without what it forbids, or what would make it show another text than the bytes.
std::string xml(std::string_view text) { return escaped(support::shown_name(text)); }

// 1234567 -> "1,234,567"
std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string style_of(const view::Frame& frame) {
  return frame.code == Code::kKey ? "k" : frame.code == Code::kKernel ? "s" : "u";
}

// As many characters of the name as the box has room for; ".." stands for the others.
std::string label_of(const std::string& name, double width) {
  const auto room = static_cast<std::size_t>(std::max(0.0, (width - kMargin) / kLetter));
  if (room < kLeastLetters) return "";
  const std::string shown = support::shown_name(name);
  std::size_t end = 0, cut = 0;
  for (std::size_t count = 1; end < shown.size(); ++count) {
    end += std::max<std::size_t>(1, support::utf8_length(std::string_view(shown).substr(end)));
    if (count + 2 == room) cut = end;
    if (count == room && end < shown.size()) return shown.substr(0, cut) + "..";
  }
  return shown;
}

class Layout {
 public:
  Layout(const FrameTree& tree, std::vector<std::int64_t> totals)
      : tree_(tree), totals_(std::move(totals)) {}

  std::vector<Box> boxes() {
    boxes_.push_back({"all", "k", 0, totals_[FrameTree::kRoot], 0});
    place(FrameTree::kRoot, 0, 1);
    return std::move(boxes_);
  }

 private:
  void place(std::uint32_t node, std::int64_t before, int depth) {
    std::int64_t smaller = 0;
    for (const std::uint32_t child : tree_.by_name(tree_.nodes()[node])) {
      const std::int64_t total = totals_[child];
      if (total < totals_[FrameTree::kRoot] / kFinest) {
        smaller += total;
        continue;
      }
      const view::Frame& frame = tree_.frame(tree_.nodes()[child].frame);
      boxes_.push_back({frame.name, style_of(frame), before, total, depth});
      place(child, before, depth + 1);
      before += total;
    }
    if (smaller != 0) boxes_.push_back({"(smaller)", "k", before, smaller, depth});
  }

  const FrameTree& tree_;
  std::vector<std::int64_t> totals_;
  std::vector<Box> boxes_;
};

void append_box(std::string& out, const Box& box, std::int64_t total, int height) {
  const double scale = kInner / static_cast<double>(std::max<std::int64_t>(total, 1));
  const double x = kSide + static_cast<double>(box.before) * scale;
  const double width = static_cast<double>(box.total) * scale;
  const int y = height - kBottom - (box.depth + 1) * kRow;
  const std::string name = xml(box.name);
  out += fmt::format(
      "<g data-n=\"{}\" data-b=\"{}\" data-d=\"{}\"><title>{}: {} of {}, {:.2f} %</title>"
      "<rect class=\"{}\" x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\"/>",
      box.total, box.before, box.depth, name, grouped(static_cast<std::uint64_t>(box.total)),
      grouped(static_cast<std::uint64_t>(total)),
      100 * static_cast<double>(box.total) / static_cast<double>(std::max<std::int64_t>(total, 1)),
      box.style, x, y, width, kRow - 1);
  out += fmt::format("<text x=\"{:.2f}\" y=\"{}\">{}</text></g>\n", x + kMargin / 2, y + kRow - 5,
                     escaped(label_of(box.name, width)));
}

}  // namespace

std::string svg(const Picture& picture) {
  const FrameTree& tree = picture.tree();
  const std::vector<std::int64_t> totals = tree.totals();
  const std::int64_t total = totals[FrameTree::kRoot];
  const std::vector<Box> boxes = Layout(tree, totals).boxes();
  int depth = 0;
  for (const Box& box : boxes) depth = std::max(depth, box.depth);
  const int height = kTop + (depth + 1) * kRow + kBottom;
  const bool is_time = picture.layers.front().flame->function == record::AggFunc::kSum;
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1}\" width=\"{0:.0f}\" "
      "height=\"{1}\">\n<style>{2}</style>\n",
      kWidth, height, flame_style(is_time));
  out += fmt::format(
      "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n"
      "<text class=\"title\" x=\"{:.0f}\" y=\"20\">{}</text>\n"
      "<text id=\"reset\" x=\"{}\" y=\"36\">Reset zoom</text>\n"
      "<text id=\"search\" x=\"{:.0f}\" y=\"36\">Search</text>\n"
      "<text id=\"found\" x=\"{:.0f}\" y=\"{}\"> </text>\n"
      "<text id=\"about\" x=\"{}\" y=\"{}\">total {}{}</text>\n<g id=\"boxes\" data-side=\"{}\" "
      "data-inner=\"{}\" data-letter=\"{}\" "
      "data-margin=\"{}\" data-least=\"{}\">\n",
      kWidth / 2, xml(picture.title), kSide, kWidth - 70, kWidth - 250, height - 8, kSide,
      height - 8, grouped(static_cast<std::uint64_t>(total)),
      picture.dropped == 0 ? "" : fmt::format("; {} dropped", grouped(picture.dropped)), kSide,
      kInner, kLetter, kMargin, kLeastLetters);
  for (const Box& box : boxes) append_box(out, box, total, height);
  out += fmt::format("</g>\n<script><![CDATA[\n{}]]></script>\n</svg>\n", flame_script());
  return out;
}

}  // namespace dt::exports
