#pragma once
// How much memory the system can give without taking it from programs.

#include <cstdint>
#include <optional>
#include <string_view>

namespace dt::runtime {

// Bytes, as /proc/meminfo says; all that can be addressed when it does not say.
std::uint64_t available_memory();

// The same from the text of /proc/meminfo.
std::optional<std::uint64_t> available_memory(std::string_view meminfo);

}  // namespace dt::runtime
