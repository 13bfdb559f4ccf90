#pragma once
// Frames of programs that an interpreter runs, as stacks of user code have them: in the
// place of a frame of the interpreter there are those of the functions that it was
// running there. They are no addresses, which a processor has none of with these bits:
//
//     63 62 61      40 39          0
//     +----+----------+-------------+     name: what a SourceRecord is found by; 0: the
//     | 10 | line     | name        |           frame was there and could not be read
//     +----+----------+-------------+     line: 0 when the code has none

#include <array>
#include <cstdint>
#include <string>

namespace dt::symbol {

constexpr std::uint32_t kSourceNameBits = 40, kSourceLineBits = 22;
constexpr std::uint64_t kSourceTag = 1ULL << 63;

constexpr bool is_source_frame(std::uint64_t word) { return word >> 62 == 2; }
constexpr std::uint64_t source_name(std::uint64_t word) {
  return word & ((1ULL << kSourceNameBits) - 1);
}
constexpr std::uint32_t source_line(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> kSourceNameBits & ((1U << kSourceLineBits) - 1));
}

// What a probe reads of a function: texts of characters of 1 (Latin-1), 2 or 4 bytes each
// (UCS-2, UCS-4), or with kUtf8Width of UTF-8, whose bytes are counted. Of a function that is
// longer than its room the beginning is there, of a file the end. Behind the text there are zeros.
constexpr std::uint32_t kUtf8Width = 8;
struct SourceRecord {
  std::uint32_t function_length = 0, file_length = 0;  // in characters, of the whole
  std::uint32_t function_width = 0, file_width = 0;    // bytes of a character
  std::array<std::uint8_t, 112> function = {};
  std::array<std::uint8_t, 256> file = {};
};
static_assert(sizeof(SourceRecord) == 384);

struct SourceName {
  std::string function, file;  // UTF-8; "..." where something is cut off
  bool operator==(const SourceName&) const = default;
};
// The bytes may be anything.
SourceName source_name_of(const SourceRecord& record);

// "function (file:line)", "function (file)" without a line, "[...]" without a function.
std::string source_text(const std::string& file, const std::string& function, std::uint64_t line);

}  // namespace dt::symbol
