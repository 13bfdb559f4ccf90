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
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "exports/code_style.h"
#include "exports/flame_script.h"
#include "exports/picture.h"
#include "exports/xml.h"

namespace dt::exports {
namespace {

using view::Code;
using view::FrameTree;

constexpr double kFlameImageWidth = 1200;
constexpr int kFrameHeight = 17, kTop = 44, kBottom = 26, kSide = 10;
constexpr double kFlameWidth = kFlameImageWidth - 2 * kSide;
constexpr double kLabelLetter = 6.7,
                 kMargin = 6;  // of labels, which are not in boxes for fewer letters
constexpr std::size_t kLeastLetters = 3;
constexpr std::size_t kFlameTitleLetters = 125;
// Narrower boxes are none: what is in them is one box for each caller.
constexpr std::int64_t kFinest = 20'000;

struct Box {
  std::string name;
  std::string style;
  std::int64_t before = 0;  // what stands left of it
  std::int64_t total = 0;
  int depth = 0;
  std::int64_t other = 0;  // of a comparison: its total in the other tree
  const char* said = "";   // of its tooltip, as its colour is not the only sign
};

// The class of one of three shades, which tell neighbouring frames apart. A name always has the
// same shade.
std::string shade_of(const std::string& name) {
  std::uint32_t hash = 7;
  for (const char c : name) hash = hash * 31 + static_cast<unsigned char>(c);
  const std::uint32_t shade = hash / 31 % 3;
  return shade == 0 ? "" : fmt::format(" h{}", shade);
}

// A frame without its module, where that finds no room.
std::string label_of(const std::string& name, std::size_t letters) {
  const std::size_t quote = name.find('`');
  const bool is_long = name.size() > letters && quote != 0 && quote != std::string::npos;
  return xml_label(is_long ? std::string_view(name).substr(quote + 1) : name, letters);
}

// How many characters a box has room for.
std::size_t letters_of(double width) {
  const auto room = static_cast<std::size_t>(std::max(0.0, (width - kMargin) / kLabelLetter));
  return room < kLeastLetters ? 0 : room;
}

// A tree that is compared with another one: by node, the total of the same frames there.
class Compared {
 public:
  Compared(const FrameTree& tree, const FrameTree& other)
      : tree_(tree), other_(other), others_(tree.nodes().size()), totals_(other.totals()) {
    match(FrameTree::kRoot, FrameTree::kRoot);
  }
  std::int64_t other(std::uint32_t node) const { return others_[node]; }

 private:
  void match(std::uint32_t node, std::uint32_t at) {
    others_[node] = totals_[at];
    std::map<view::Frame, std::uint32_t> children;
    for (const std::uint32_t child : other_.children(other_.nodes()[at])) {
      children.emplace(other_.frame(other_.nodes()[child].frame), child);
    }
    for (const std::uint32_t child : tree_.children(tree_.nodes()[node])) {
      const auto found = children.find(tree_.frame(tree_.nodes()[child].frame));
      if (found != children.end()) match(child, found->second);
    }
  }

  const FrameTree& tree_;
  const FrameTree& other_;
  std::vector<std::int64_t> others_, totals_;
};

class Layout {
 public:
  Layout(const FrameTree& tree, std::vector<std::int64_t> totals, const Compared* compared)
      : tree_(tree), totals_(std::move(totals)), compared_(compared) {}

  std::vector<Box> boxes() {
    boxes_.push_back({"all", "k", 0, totals_[FrameTree::kRoot], 0, other(FrameTree::kRoot)});
    place(FrameTree::kRoot, 0, 1);
    return std::move(boxes_);
  }

 private:
  void place(std::uint32_t node, std::int64_t before, int depth) {
    std::int64_t smaller = 0, smaller_other = 0;
    for (const std::uint32_t child : tree_.by_name(tree_.nodes()[node])) {
      const std::int64_t total = totals_[child];
      if (total < totals_[FrameTree::kRoot] / kFinest) {
        smaller += total;
        smaller_other += other(child);
        continue;
      }
      const view::Frame& frame = tree_.frame(tree_.nodes()[child].frame);
      boxes_.push_back({std::string(view::shown_frame(frame)), style_of(frame.code).svg_class,
                        before, total, depth, other(child), style_of(frame.code).said});
      place(child, before, depth + 1);
      before += total;
    }
    if (smaller != 0) {
      boxes_.push_back({"(smaller)", "k", before, smaller, depth, smaller_other});
    }
  }
  std::int64_t other(std::uint32_t node) const {
    return compared_ == nullptr ? 0 : compared_->other(node);
  }

  const FrameTree& tree_;
  std::vector<std::int64_t> totals_;
  const Compared* compared_;
  std::vector<Box> boxes_;
};

double share_of(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(whole, 1));
}

// Orange for what has grown, blue for what has shrunk; the most that anything has changed is 1.
std::string colour_of(double change) {
  constexpr double kPlain[] = {236, 236, 236}, kMore[] = {230, 110, 20}, kLess[] = {50, 110, 200};
  const double* const end = change < 0 ? kLess : kMore;
  const double part = std::min(std::abs(change), 1.0);
  const auto mixed = [&](int i) { return std::lround(kPlain[i] + (end[i] - kPlain[i]) * part); };
  return fmt::format(" fill=\"rgb({},{},{})\"", mixed(0), mixed(1), mixed(2));
}

// What stands beside a box of a comparison.
struct Change {
  std::int64_t total = 0, other_total = 0;
  double most = 0;  // change of a share
  bool is_before = false;

  double of(const Box& box) const {
    const double change = share_of(box.total, total) - share_of(box.other, other_total);
    return is_before ? -change : change;
  }
  std::string text(const Box& box) const {
    return fmt::format("; {} {} of {}, {:.2f} % ({:+.2f})", is_before ? "now" : "before",
                       grouped(static_cast<std::uint64_t>(box.other)),
                       grouped(static_cast<std::uint64_t>(other_total)),
                       100 * share_of(box.other, other_total), 100 * of(box));
  }
  std::string colour(const Box& box) const { return colour_of(most == 0 ? 0 : of(box) / most); }
};

void append_box(std::string& out, const Box& box, std::int64_t total, int height,
                const Change* change) {
  const double scale = kFlameWidth / static_cast<double>(std::max<std::int64_t>(total, 1));
  const double x = kSide + static_cast<double>(box.before) * scale;
  const double width = static_cast<double>(box.total) * scale;
  const int y = height - kBottom - (box.depth + 1) * kFrameHeight;
  const std::string name = xml_text(box.name);
  out += fmt::format(
      "<g data-n=\"{}\" data-b=\"{}\" data-d=\"{}\"><title>{}: {} of {}, {:.2f} %{}{}</title>"
      "<rect class=\"{}{}\"{} x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\"/>",
      box.total, box.before, box.depth, name, grouped(static_cast<std::uint64_t>(box.total)),
      grouped(static_cast<std::uint64_t>(total)), 100 * share_of(box.total, total),
      change == nullptr ? "" : change->text(box), box.said,
      change == nullptr ? box.style + shade_of(box.name) : "c", width < 2 ? " thin" : "",
      change == nullptr ? "" : change->colour(box), x, y, width, kFrameHeight - 1);
  out += fmt::format("<text x=\"{:.2f}\" y=\"{}\">{}</text></g>\n", x + kMargin / 2,
                     y + kFrameHeight - 5, label_of(box.name, letters_of(width)));
}

}  // namespace

namespace {

struct Drawn {  // a tree
  std::vector<Box> boxes;
  std::int64_t total = 0;
  Change change;
};

Drawn draw(const FrameTree& tree, const FrameTree* other, bool is_before) {
  Drawn out;
  const std::vector<std::int64_t> totals = tree.totals();
  out.total = totals[FrameTree::kRoot];
  std::optional<Compared> compared;
  if (other != nullptr) {
    compared.emplace(tree, *other);
    out.change = {out.total, other->totals()[FrameTree::kRoot], 0, is_before};
  }
  out.boxes = Layout(tree, totals, compared ? &*compared : nullptr).boxes();
  for (const Box& box : out.boxes) {
    out.change.most = std::max(out.change.most, std::abs(out.change.of(box)));
  }
  return out;
}

int depth_of(const Drawn& drawn) {
  int depth = 0;
  for (const Box& box : drawn.boxes) depth = std::max(depth, box.depth);
  return depth;
}

void append_boxes(std::string& out, const Drawn& drawn, int height, bool is_compared) {
  for (const Box& box : drawn.boxes) {
    append_box(out, box, drawn.total, height, is_compared ? &drawn.change : nullptr);
  }
}

// What colours mean, of those that there are.
std::string legend(const Drawn& drawn, bool is_compared) {
  constexpr int kSize = 9, kGap = 14, kTextY = 36;
  struct Part {
    std::string_view style, text;
  };
  constexpr Part kKinds[] = {{"u", "program"}, {"i", "inlined"}, {"p", "interpreted"},
                             {"j", "JIT"},     {"s", "kernel"},  {"k", "keys"}};
  constexpr Part kChanges[] = {{"more", "larger share than before"}, {"less", "smaller share"}};
  std::vector<Part> parts;
  if (is_compared) parts.assign(std::begin(kChanges), std::end(kChanges));
  for (const Part& kind : is_compared ? std::span<const Part>() : std::span(kKinds)) {
    const auto is_of_it = [&](const Box& box) { return box.depth > 0 && box.style == kind.style; };
    if (std::ranges::any_of(drawn.boxes, is_of_it)) parts.push_back(kind);
  }
  double x = kFlameImageWidth / 2;
  for (const Part& part : parts) {
    x -= (kSize + kGap + kLabelLetter * static_cast<double>(part.text.size())) / 2;
  }
  std::string out;
  for (const Part& part : parts) {
    out += fmt::format(
        "<rect class=\"{}\" x=\"{:.0f}\" y=\"{}\" width=\"{}\" height=\"{}\"/>"
        "<text class=\"legend\" x=\"{:.0f}\" y=\"{}\">{}</text>\n",
        part.style, x, kTextY - kSize, kSize, kSize, x + kSize + 4, kTextY, part.text);
    x += kSize + kGap + kLabelLetter * static_cast<double>(part.text.size());
  }
  return out;
}

// "total 1,234 ns".
std::string total_text(const Drawn& drawn, const std::string& unit) {
  std::string out = "total " + grouped(static_cast<std::uint64_t>(drawn.total));
  return unit.empty() ? out : out + " " + unit;
}

}  // namespace

std::string svg(const Picture& picture) {
  const bool is_compared = picture.before != nullptr;
  const Drawn now = draw(picture.tree(), picture.before, false);
  Drawn before;
  if (is_compared) before = draw(*picture.before, &picture.tree(), true);
  const int height =
      kTop + (std::max(depth_of(now), depth_of(before)) + 1) * kFrameHeight + kBottom;
  const bool is_time = picture.layers.front().flame->function == record::AggFunc::kSum;
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1}\" width=\"{0:.0f}\" "
      "height=\"{1}\">\n<style>{2}</style>\n",
      kFlameImageWidth, height, flame_style(is_time));
  out += fmt::format(
      "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n"
      "<text class=\"title\" x=\"{:.0f}\" y=\"20\">{}</text>\n"
      "<text id=\"reset\" x=\"{}\" y=\"36\">Reset zoom</text>\n"
      "<text id=\"search\" x=\"{:.0f}\" y=\"36\">Search</text>\n"
      "<text id=\"found\" x=\"{:.0f}\" y=\"{}\"> </text>\n"
      "<text id=\"about\" x=\"{}\" y=\"{}\">{}{}</text>\n{}<g id=\"boxes\" data-side=\"{}\" "
      "data-inner=\"{}\" data-letter=\"{}\" "
      "data-margin=\"{}\" data-least=\"{}\">\n",
      kFlameImageWidth / 2, xml_label(one_line(picture.title), kFlameTitleLetters), kSide,
      kFlameImageWidth - 70, kFlameImageWidth - 250, height - 8, kSide, height - 8,
      total_text(now, picture.layers.front().unit),
      fmt::format("; {} dropped", grouped(picture.dropped)) +
          (is_compared ? fmt::format("; before {}; d shows before",
                                     grouped(static_cast<std::uint64_t>(before.total)))
                       : ""),
      legend(now, is_compared), kSide, kFlameWidth, kLabelLetter, kMargin, kLeastLetters);
  append_boxes(out, now, height, is_compared);
  if (is_compared) {
    out += "</g>\n<g id=\"before\" class=\"hidden\">\n";
    append_boxes(out, before, height, true);
  }
  out += fmt::format("</g>\n<script><![CDATA[\n{}]]></script>\n</svg>\n", flame_script());
  return out;
}

}  // namespace dt::exports
