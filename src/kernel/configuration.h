#pragma once
// What the running kernel was built with: /proc/config.gz, or /boot/config-RELEASE.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dt::kernel {

class Configuration {
 public:
  // The first of the files that can be read, compressed or not; without one nothing is known.
  static Configuration of(const std::string& release);
  static Configuration from_text(std::string text) { return Configuration(std::move(text)); }

  bool is_known() const { return !text_.empty(); }
  // The value of a name such as "CONFIG_PREEMPT": "y", "m", a number or a text in quotes; nullopt
  // if it is not set.
  std::optional<std::string> value(std::string_view name) const;

 private:
  explicit Configuration(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

// Ticks of the running kernel in a second, which is its CONFIG_HZ: a coarse clock advances once a
// tick (clock_getres(2)).
std::int64_t ticks_per_second();

}  // namespace dt::kernel
