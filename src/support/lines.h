#pragma once
// Text line by line.

#include <algorithm>
#include <string_view>

namespace dt::support {

// Calls `each` with every line, without its end; the last one may lack its own.
template <typename Each>
void for_lines(std::string_view text, const Each& each) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    each(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace dt::support
