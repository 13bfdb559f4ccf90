#pragma once
// A text within megabytes of others.

#include <cstddef>
#include <string_view>

namespace dt::support {

// As text.find(wanted), and several times as fast: where few places have the first, the second and
// the last byte of what is wanted, which is two bytes at least.
std::size_t find_bytes(std::string_view text, std::string_view wanted);

}  // namespace dt::support
