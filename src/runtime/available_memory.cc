#include "runtime/available_memory.h"

#include <charconv>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

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

std::uint64_t available_memory() {
  std::ifstream file("/proc/meminfo");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return available_memory(text).value_or(std::numeric_limits<std::uint64_t>::max());
}

}  // namespace dt::runtime
