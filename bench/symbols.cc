// symbols COUNT PLAIN|LINES PID...: names COUNT addresses of the code of each process, spread over
// all that it has mapped, as the frames of their stacks are named; with LINES also where they are
// in the source, and what was inlined. Prints how many addresses there were, how many had a name,
// and how many a line.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "symbol/process/process.h"
#include "symbol/resolve/resolver.h"

namespace {

using dt::UserAddr;
using dt::symbol::Mapping;

std::int32_t number(const char* text) {
  std::int32_t value = 0;
  std::from_chars(text, text + std::strlen(text), value);
  return value;
}

// `count` addresses in mapped files, from one end to the other.
std::vector<std::uint64_t> addresses_of(std::int32_t pid, std::uint64_t count) {
  std::vector<Mapping> code = dt::symbol::parse_maps(
      dt::symbol::read_file("/proc/" + std::to_string(pid) + "/maps", dt::symbol::kMaxMapsBytes));
  std::erase_if(code, [](const Mapping& one) { return one.inode == 0; });
  std::uint64_t bytes = 0;
  for (const Mapping& one : code) bytes += one.end - one.begin;
  std::vector<std::uint64_t> out;
  const std::uint64_t step = std::max<std::uint64_t>(bytes / count, 1);
  std::uint64_t skip = 0;
  for (const Mapping& one : code) {
    std::uint64_t at = one.begin + skip;
    for (; at < one.end && out.size() < count; at += step) out.push_back(at);
    skip = at - std::min(at, one.end);
  }
  return out;
}

}  // namespace

int main(int count, char** words) {
  if (count < 4) return 2;
  const bool has_lines = std::strcmp(words[2], "LINES") == 0;
  const auto resolver = dt::symbol::system_resolver();
  if (has_lines) resolver->show_source({true, true});
  std::size_t frames = 0, named = 0, lines = 0;
  for (int i = 3; i < count; ++i) {
    const std::int32_t pid = number(words[i]);
    for (const std::uint64_t address :
         addresses_of(pid, static_cast<std::uint64_t>(number(words[1])))) {
      const std::string text = dt::symbol::user_text(*resolver, pid, UserAddr(address), true);
      ++frames;
      named += text.find("`0x") == std::string::npos && text.find('`') != std::string::npos ? 1 : 0;
      if (!has_lines) continue;
      const auto source = resolver->source(pid, UserAddr(address), true);
      lines += !source.empty() && source.back().line != 0 ? 1 : 0;
    }
  }
  std::printf("%zu %zu %zu\n", frames, named, lines);
  return 0;
}
