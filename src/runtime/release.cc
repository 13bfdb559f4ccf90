#include "runtime/release.h"

#include <charconv>

namespace dt::runtime {

// "6.12.9-amd64": only the first two numbers are compared. A text without them is taken as a new
// kernel's.
bool is_before(std::string_view release, std::uint32_t major, std::uint32_t minor) {
  std::uint32_t its_major = 0;
  std::uint32_t its_minor = 0;
  const char* const end = release.data() + release.size();
  const auto parsed = std::from_chars(release.data(), end, its_major);
  if (parsed.ec != std::errc() || parsed.ptr == end || *parsed.ptr != '.') return false;
  std::from_chars(parsed.ptr + 1, end, its_minor);
  return its_major < major || (its_major == major && its_minor < minor);
}

bool makes_storage_anywhere(std::string_view release) { return !is_before(release, 6, 4); }

bool preempts_programs(std::string_view release) { return !is_before(release, 7, 0); }

bool has_private_stacks(std::string_view release) { return !is_before(release, 6, 13); }

}  // namespace dt::runtime
