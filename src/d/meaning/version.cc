#include "d/meaning/version.h"

#include <charconv>

namespace dt::d {

std::optional<std::uint32_t> parse_version(std::string_view text) {
  constexpr std::uint32_t kMost[] = {0xff, 0xfff, 0xfff};
  constexpr std::uint32_t kShift[] = {24, 12, 0};
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    std::uint32_t part = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), part);
    if (error != std::errc() || part > kMost[i]) {
      return std::nullopt;
    }
    out |= part << kShift[i];
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) {
      return i == 0 ? std::nullopt : std::optional(out);
    }
    if (text.front() != '.') {
      return std::nullopt;
    }
    text.remove_prefix(1);
  }
  return std::nullopt;
}

}  // namespace dt::d
