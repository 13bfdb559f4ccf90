#pragma once
// Texts in parts, and their letters.

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace dt::support {

// The part of `text` up to `end`, which is taken away with it; all of it when there is no `end`.
inline std::string_view take(std::string_view& text, char end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return part;
}

inline std::string in_small_letters(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

}  // namespace dt::support
