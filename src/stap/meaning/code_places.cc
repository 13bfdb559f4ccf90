#include "stap/meaning/code_places.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

#include "probe/pattern.h"
#include "symbol/elf/demangle.h"

namespace dt::stap {

bool is_function(const std::string& wanted, const std::string& symbol) {
  if (probe::glob_match(wanted, symbol)) return true;
  const std::vector<std::string> names = symbol::source_names(symbol);
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return probe::glob_match(wanted, name); });
}

std::string symbol_of(const CodeLine& one) {
  return one.function.substr(0, one.function.find('@'));
}

std::vector<CodeLine> CodePlaces::lines_of(const SourcePlace& place) const {
  if (!around_.programs.find_lines) return {};
  std::map<std::tuple<std::string, std::uint64_t, std::uint32_t>, CodeLine> first;
  for (CodeLine& one : around_.programs.find_lines(
           path_, [&](const std::string& path) { return is_source_file(place.file, path); })) {
    if (!is_function(place.function, one.inlined.empty() ? symbol_of(one) : one.inlined)) {
      continue;
    }
    const auto [found, is_new] = first.try_emplace({one.function, one.copy, one.line}, one);
    if (!is_new && one.offset < found->second.offset) found->second = one;
  }
  std::vector<CodeLine> out;
  for (auto& [key, one] : first) out.push_back(std::move(one));
  return out;
}

std::vector<CodeLine> CodePlaces::copies() const {
  return around_.programs.find_inlined ? around_.programs.find_inlined(path_)
                                       : std::vector<CodeLine>();
}

void CodePlaces::to_absolute(SourcePlace& place, const std::vector<CodeLine>& all) const {
  std::uint32_t begin = 0;
  for (const CodeLine& one : all) {
    if (begin == 0 && one.offset == 0 && one.inlined.empty()) begin = one.line;
  }
  if (begin == 0 && !all.empty()) {
    for (const CodeLine& one : copies()) {
      if (begin == 0 && one.inlined == all.front().inlined) begin = one.line;
    }
  }
  if (begin != 0) count_from(place, begin);
}

CodePlaces::Refusal CodePlaces::why_no_lines(const SourcePlace& place) const {
  const std::vector<CodeLine> all = lines_of(place);
  std::uint32_t before = 0, after = 0;
  for (const CodeLine& one : all) {
    if (one.line < place.first()) before = std::max(before, one.line);
    if (one.line > place.last() && (after == 0 || one.line < after)) after = one.line;
  }
  std::string near = before == 0 ? "" : fmt::format("try line {}", before);
  if (after != 0) near += fmt::format("{} {}", near.empty() ? "try line" : " or", after);
  SourcePlace anywhere = place;
  anywhere.function = "*";
  const bool is_elsewhere = all.empty() && !lines_of(anywhere).empty();
  const std::string why =
      is_elsewhere
          ? fmt::format("the file is there: \"*@{}:LINE\" means each function of it", place.file)
          : "the program must have been built with -g";
  return {all.empty() ? fmt::format("no debugging information of '{}' in a file '{}'",
                                    place.function, place.file)
                      : fmt::format("no line records for {}:{}", place.file, place.first()),
          all.empty() ? why : near};
}

}  // namespace dt::stap
