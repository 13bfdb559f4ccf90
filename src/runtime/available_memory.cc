#include "runtime/available_memory.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "support/text.h"

namespace dt::runtime {

// MemAvailable and not MemFree: caches that the kernel would give back count as available.
std::optional<std::uint64_t> available_memory(std::string_view meminfo) {
  constexpr std::string_view kName = "MemAvailable:";  // in KiB
  const std::size_t found = meminfo.find(kName);
  if (found == std::string_view::npos) {
    return std::nullopt;
  }
  std::string_view rest = meminfo.substr(found + kName.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  std::uint64_t kib = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), kib);
  if (error != std::errc() || kib > (std::numeric_limits<std::uint64_t>::max() >> 10)) {
    return std::nullopt;
  }
  return kib << 10;
}

namespace {

using support::take;

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// "max" and what is no number are nothing.
std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

// Of the lines "name value".
std::uint64_t statistic(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    std::string_view line = take(text, '\n');
    if (take(line, ' ') == name) return number(line).value_or(0);
  }
  return 0;
}

// A word of a list with commas.
bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    if (take(list, ',') == word) return true;
  }
  return false;
}

struct Mount {
  std::string root, directory;  // what of the hierarchy is mounted, and where
};

// A line is "36 35 0:31 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory".
std::optional<Mount> find_mount(std::string_view mountinfo, bool is_unified) {
  while (!mountinfo.empty()) {
    std::string_view line = take(mountinfo, '\n');
    const std::size_t behind = line.find(" - ");
    if (behind == line.npos) continue;
    std::string_view rest = line.substr(behind + 3);
    const std::string_view type = take(rest, ' ');
    take(rest, ' ');
    if (is_unified ? type != "cgroup2" : type != "cgroup" || !has_word(rest, "memory")) continue;
    for (int i = 0; i < 3; ++i) take(line, ' ');
    Mount mount;
    mount.root = take(line, ' ');
    mount.directory = take(line, ' ');
    return mount;
  }
  return std::nullopt;
}

// The line "0::/path" is of version 2, "4:memory:/path" of version 1.
std::optional<std::string> find_path(std::string_view cgroup, bool is_unified) {
  while (!cgroup.empty()) {
    std::string_view line = take(cgroup, '\n');
    const std::string_view hierarchy = take(line, ':');
    const std::string_view controllers = take(line, ':');
    if (is_unified ? hierarchy == "0" : has_word(controllers, "memory")) return std::string(line);
  }
  return std::nullopt;
}

std::uint64_t available_at(const std::string& directory, bool is_unified) {
  const char* const limit_file = is_unified ? "/memory.max" : "/memory.limit_in_bytes";
  const char* const usage_file = is_unified ? "/memory.current" : "/memory.usage_in_bytes";
  const auto limit = number(text_of(directory + limit_file));
  const auto usage = number(text_of(directory + usage_file));
  if (!limit || !usage) return kUnlimited;
  const std::string statistics = text_of(directory + "/memory.stat");
  const std::string prefix = is_unified ? "" : "total_";
  const std::uint64_t caches = statistic(statistics, prefix + "inactive_file") +
                               statistic(statistics, prefix + "active_file");
  const std::uint64_t used = *usage - std::min(*usage, caches);
  return *limit - std::min(*limit, used);
}

}  // namespace

MemoryGroups memory_groups(std::string_view cgroup, std::string_view mountinfo) {
  MemoryGroups groups;
  for (const bool is_unified : {false, true}) {
    const auto path = find_path(cgroup, is_unified);
    const auto mount = find_mount(mountinfo, is_unified);
    if (!path || !mount) continue;
    groups.is_unified = is_unified;
    // Within a container, the path begins with what is mounted, or is that of its namespace.
    std::string inner = *path;
    if (mount->root != "/" && inner.starts_with(mount->root)) inner.erase(0, mount->root.size());
    if (inner == "/") inner.clear();
    for (;;) {
      groups.directories.push_back(mount->directory + inner);
      if (inner.empty()) return groups;
      inner.erase(inner.rfind('/') == inner.npos ? 0 : inner.rfind('/'));
    }
  }
  return groups;
}

std::uint64_t available_in(const MemoryGroups& groups) {
  std::uint64_t least = kUnlimited;
  for (const std::string& directory : groups.directories) {
    least = std::min(least, available_at(directory, groups.is_unified));
  }
  return least;
}

std::uint64_t available_memory() {
  return std::min(
      available_memory(text_of("/proc/meminfo")).value_or(kUnlimited),
      available_in(memory_groups(text_of("/proc/self/cgroup"), text_of("/proc/self/mountinfo"))));
}

}  // namespace dt::runtime
