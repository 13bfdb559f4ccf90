// See source_place.h.

#include "stap/meaning/source_place.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "probe/pattern.h"

namespace dt::stap {
namespace {

bool line_number(std::string_view text, std::uint32_t& out) {
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), out);
  return wrong == std::errc() && end == text.data() + text.size();
}

// "12", "12-15", "5,12-15"
bool read_lines(std::string_view text, SourcePlace& out) {
  while (true) {
    const std::string_view one = text.substr(0, text.find(','));
    const std::size_t dash = one.find('-');
    std::uint32_t first = 0, last = 0;
    if (!line_number(one.substr(0, dash), first)) return false;
    last = first;
    if (dash != std::string_view::npos && !line_number(one.substr(dash + 1), last)) return false;
    out.ranges.emplace_back(first, last);
    if (one.size() == text.size()) return true;
    text.remove_prefix(one.size() + 1);
  }
}

}  // namespace

SourcePlace parse_source_place(std::string_view text) {
  SourcePlace out;
  const std::size_t at = text.find('@');
  out.function = text.substr(0, at);
  if (at == std::string_view::npos) return out;
  out.file = text.substr(at + 1);
  const std::size_t mark = out.file.find_last_of(":+#");
  if (mark == std::string::npos) return out;
  const char how = out.file[mark];
  const std::string lines = out.file.substr(mark + 1);
  SourcePlace read = out;
  const bool is_all = lines == "*" && how == ':';
  if (!is_all && !read_lines(lines, read)) return out;
  read.file.resize(mark);
  if (!is_all) {
    read.lines = how == '+' ? SourcePlace::Lines::kRelative : SourcePlace::Lines::kRange;
  }
  read.is_nearest = how == '#';
  return read;
}

bool is_source_file(const std::string& wanted, const std::string& path) {
  const std::string last = path.substr(path.rfind('/') + 1);
  return probe::glob_match(wanted, path) || probe::glob_match(wanted, last) ||
         path.ends_with("/" + wanted);
}

bool has_line(const SourcePlace& place, std::uint32_t line) {
  return place.lines == SourcePlace::Lines::kAll ||
         std::any_of(place.ranges.begin(), place.ranges.end(), [&](const auto& range) {
           return line >= range.first && line <= range.second;
         });
}

void count_from(SourcePlace& place, std::uint32_t begin) {
  place.lines = SourcePlace::Lines::kRange;
  for (auto& [first, last] : place.ranges) {
    first += begin;
    last += begin;
  }
}

void to_nearest(SourcePlace& place, const std::vector<std::uint32_t>& lines) {
  if (place.lines != SourcePlace::Lines::kRange || lines.empty()) return;
  const auto distance = [&](std::uint32_t line) {
    return line < place.first() ? place.first() - line : line - place.first();
  };
  const auto nearest =
      std::min_element(lines.begin(), lines.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return distance(a) < distance(b); });
  place.ranges = {{*nearest, *nearest}};
}

}  // namespace dt::stap
