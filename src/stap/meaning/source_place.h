#pragma once
// How a point names places in the source of a program: "name", "name@file", and lines of the file:
// "name@file:12", ":12-15", ":5,12-15", ":*", "#12" for the nearest one, "+3" from where the
// function begins.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dt::stap {

struct SourcePlace {
  enum class Lines : std::uint8_t { kAll, kRange, kRelative };
  std::string function, file;  // no file: the function alone
  Lines lines = Lines::kAll;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges = {};  // first and last lines
  bool is_nearest = false;

  std::uint32_t first() const { return ranges.empty() ? 0 : ranges.front().first; }
  std::uint32_t last() const { return ranges.empty() ? 0 : ranges.back().second; }
};

// What stands behind the last mark is a part of the path if it is no number of a line: c++/x.c.
SourcePlace parse_source_place(std::string_view text);
// prog.c is each path that ends so; a pattern is of the whole path or of its last part.
bool is_source_file(const std::string& wanted, const std::string& path);
bool has_line(const SourcePlace& place, std::uint32_t line);
// Makes relative lines absolute; `begin` is the line where the function begins.
void count_from(SourcePlace& place, std::uint32_t begin);
// Replaces the line that is meant by the nearest one of `lines`, which have code.
void to_nearest(SourcePlace& place, const std::vector<std::uint32_t>& lines);

}  // namespace dt::stap
