#pragma once
// Numbers as C writes them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dt::support {

// A number as C writes it, without suffixes: 10, 0x1f, 017.
struct IntegerText {
  enum class Status : std::uint8_t { kOk, kBadDigit, kOverflow } status = Status::kOk;
  std::uint64_t value = 0;
  std::size_t bad = 0;  // kBadDigit: where
};
IntegerText parse_integer(std::string_view digits);

// Hexadecimal digits, with or without 0x before them: an address, an offset.
std::optional<std::uint64_t> hexadecimal(std::string_view text);

}  // namespace dt::support
