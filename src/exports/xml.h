#pragma once
// Text within XML: names of traced systems are never markup.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dt::exports {

// Without what XML forbids, or what would make it show another text than the bytes.
std::string xml_text(std::string_view text);
// The first of its characters; where there are more, ".." stands for them.
std::string xml_label(std::string_view text, std::size_t letters);
// The text of a program in one line, with one blank between words.
std::string one_line(std::string_view text);

// 1234567 -> "1,234,567"
std::string grouped(std::uint64_t number);
std::string grouped_signed(std::int64_t number);

}  // namespace dt::exports
