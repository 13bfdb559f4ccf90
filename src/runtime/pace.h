#pragma once
// Waking the consumer is the most expensive thing that a probe can do, so ordinary records do not.
// The consumer reads at its own pace: at once after a big harvest, soon after a small one, and less
// and less often when nothing comes; but never so late that a burst could fill the ring meanwhile.

#include <cstddef>
#include <cstdint>

namespace dt::runtime {

class Pace {
 public:
  Pace() = default;
  // `only_urgent`: every record of the program wakes us, so looking is only a
  // precaution.
  Pace(std::size_t ring_bytes, bool only_urgent);

  void consumed(std::size_t bytes);
  std::uint32_t sleep_ms() const { return sleep_ms_; }

  static constexpr std::uint32_t kUrgentOnlyMs = 1000;
  static constexpr std::uint32_t kMaxIdleMs = 20;
  // A rate that is rarely exceeded: 6 million records of 64 bytes a second.
  static constexpr std::size_t kBytesPerMs = 400'000;

 private:
  std::size_t ring_bytes_ = 0;
  std::uint32_t longest_ms_ = kUrgentOnlyMs;
  std::uint32_t sleep_ms_ = kUrgentOnlyMs;
};

}  // namespace dt::runtime
