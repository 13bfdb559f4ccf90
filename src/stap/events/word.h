#pragma once
// Word: a number that headers of the kernel or of the C library give a name.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dt::stap {

struct Word {
  std::uint64_t value;
  std::string_view name;
};

// The name of the number; nullopt: it has none.
inline std::optional<std::string> one_of(std::span<const Word> words, std::uint64_t value) {
  for (const Word& word : words) {
    if (word.value == value) return std::string(word.name);
  }
  return std::nullopt;
}

}  // namespace dt::stap
