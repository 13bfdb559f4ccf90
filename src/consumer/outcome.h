#pragma once

#include <cstdint>
#include <optional>

namespace dt::consumer {

// What a batch of records asked for.
struct Outcome {
  std::optional<std::int32_t> exit_status;  // exit() was consumed
};

}  // namespace dt::consumer
