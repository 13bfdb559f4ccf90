// See pace.h.

#include "runtime/pace.h"

#include <algorithm>

namespace dt::runtime {

Pace::Pace(std::size_t ring_bytes, bool only_urgent) : ring_bytes_(ring_bytes) {
  if (ring_bytes > 0 && !only_urgent) {
    longest_ms_ = static_cast<std::uint32_t>(
        std::clamp<std::size_t>(ring_bytes / kBytesPerMs, 1, kMaxIdleMs));
    sleep_ms_ = 1;
  }
}

// If much was there, look again at once; if something, soon; if nothing, wait twice as long as
// before, up to a limit that the ring's size allows at the rate it must withstand.
void Pace::consumed(std::size_t bytes) {
  if (bytes > 0 && bytes >= ring_bytes_ / 16) {
    sleep_ms_ = 0;
  } else if (bytes > 0) {
    sleep_ms_ = 1;
  } else {
    sleep_ms_ = std::min(std::max(sleep_ms_, 1U) * 2, longest_ms_);
  }
}

}  // namespace dt::runtime
