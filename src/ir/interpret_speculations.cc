// See interpret_speculations.h.

#include "ir/interpret_speculations.h"

#include <cstdlib>
#include <limits>

#include "record/speculation.h"

namespace dt::ir {

std::int32_t InterpretedSpeculations::begin() {
  const std::uint64_t n = state_.speculations_begun++;
  for (std::uint32_t k = 0; k < count_; ++k) {
    const auto slot = static_cast<std::uint32_t>((n + k) % count_);
    std::int32_t& held = state_.speculations[slot];
    if (held > 0) continue;
    held = record::next_speculation(slot, -held, count_);
    return held;
  }
  ++state_.speculations_refused;
  return 0;
}

std::optional<bool> InterpretedSpeculations::in_use(std::int64_t id) const {
  if (id == 0) return false;
  if (id < 0 || count_ == 0 || id > record::last_speculation(count_)) return std::nullopt;
  const auto used =
      state_.speculations.find(record::speculation_slot(static_cast<std::int32_t>(id), count_));
  const std::int64_t last = used == state_.speculations.end() ? 0 : used->second;
  if (id > count_ && id > std::abs(last)) return std::nullopt;
  return id == last;
}

void InterpretedSpeculations::end(std::int64_t id) {
  if (id <= 0 || id > std::numeric_limits<std::int32_t>::max() || count_ == 0) return;
  const auto used =
      state_.speculations.find(record::speculation_slot(static_cast<std::int32_t>(id), count_));
  if (used != state_.speculations.end() && used->second == id) used->second = -used->second;
}

}  // namespace dt::ir
