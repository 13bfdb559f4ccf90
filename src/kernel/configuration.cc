#include "kernel/configuration.h"

#include <fmt/core.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>

#include "support/check.h"

namespace dt::kernel {
namespace {

constexpr std::size_t kMostBytes = 16U << 20;

// The text of a file, decompressed if it is compressed; empty if it cannot be read to its end.
std::string read_compressed(const std::string& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rbe"), gzclose);
  std::string text;
  std::array<char, 1U << 16> piece;
  while (file != nullptr) {
    const int got = gzread(file.get(), piece.data(), piece.size());
    if (got == 0) return text;
    if (got < 0 || text.size() > kMostBytes) break;
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
  return {};
}

}  // namespace

Configuration Configuration::of(const std::string& release) {
  for (const std::string& path : {std::string("/proc/config.gz"), "/boot/config-" + release}) {
    if (std::string text = read_compressed(path); !text.empty()) {
      return Configuration(std::move(text));
    }
  }
  return Configuration({});
}

std::optional<std::string> Configuration::value(std::string_view name) const {
  const std::string line = fmt::format("\n{}=", name);
  const std::size_t found = text_.find(line);
  if (found == std::string::npos) return std::nullopt;
  const std::size_t begin = found + line.size();
  return text_.substr(begin, text_.find('\n', begin) - begin);
}

std::int64_t ticks_per_second() {
  constexpr std::int64_t kNsPerSecond = 1'000'000'000;
  timespec tick{};
  const bool is_known = ::clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0 && tick.tv_nsec > 0;
  DT_CHECK(is_known, "clock_getres: {}", std::strerror(errno));
  return kNsPerSecond / tick.tv_nsec;
}

}  // namespace dt::kernel
