#pragma once
// The words of a #pragma, which blanks separate.

#include <string_view>
#include <vector>

#include "support/text.h"

namespace dt::d {

// The words are parts of `text`, which must outlive them.
inline std::vector<std::string_view> pragma_words(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::string_view word = support::take(text, ' ');
    if (!word.empty()) out.push_back(word);
  }
  return out;
}

}  // namespace dt::d
