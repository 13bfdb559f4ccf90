#pragma once
// How wide characters are on a terminal.

#include <cstddef>

namespace dt::support {

// Columns of a printable character: 2 for wide ones, as of Chinese, 0 for those that are drawn over
// the one before, else 1.
std::size_t columns_of(char32_t character);

}  // namespace dt::support
