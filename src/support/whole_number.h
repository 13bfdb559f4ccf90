#pragma once
// Texts that are a number and nothing else.

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace dt::support {

// "12", "-3" if the type has a sign, "1f" with base 16. Nothing for a text with anything else in
// it, and for a number that the type cannot hold.
template <std::integral Number>
std::optional<Number> whole_number(std::string_view text, int base = 10) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number, base);
  return failure == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace dt::support
