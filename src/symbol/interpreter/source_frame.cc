// See source_frame.h.

#include "symbol/interpreter/source_frame.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace dt::symbol {
namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

void append_utf8(std::string& out, std::uint32_t c) {
  const auto byte = [&out](std::uint32_t value) { out += static_cast<char>(value); };
  const auto more = [&byte, c](std::uint32_t shift) { byte(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) {
    byte(0xc0 | c >> 6);
    return more(0);
  }
  if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return append_utf8(out, kReplacement);
  if (c < 0x10000) {
    byte(0xe0 | c >> 12);
  } else {
    byte(0xf0 | c >> 18);
    more(12);
  }
  more(6);
  more(0);
}

// How many bytes of UTF-8 begin with this one; 0 for one that cannot be first.
std::size_t utf8_bytes(std::uint8_t first) {
  return first < 0x80   ? 1
         : first < 0xc2 ? 0
         : first < 0xe0 ? 2
         : first < 0xf0 ? 3
         : first < 0xf5 ? 4
                        : 0;
}

// The characters that are whole; what is cut off on either side is left out.
std::string utf8_of(std::span<const std::uint8_t> bytes, bool is_cut) {
  constexpr std::uint32_t kLeastOfLength[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto is_more = [](std::uint8_t byte) { return (byte & 0xc0) == 0x80; };
  std::size_t at = 0;
  while (is_cut && at < std::min<std::size_t>(bytes.size(), 3) && is_more(bytes[at])) ++at;
  std::string out;
  while (at < bytes.size()) {
    const std::size_t size = utf8_bytes(bytes[at]);
    std::size_t have = 1;
    std::uint32_t c = bytes[at] & (size < 2 ? 0x7fU : 0x7fU >> size);
    while (have < size && at + have < bytes.size() && is_more(bytes[at + have])) {
      c = c << 6 | (bytes[at + have++] & 0x3fU);
    }
    if (is_cut && size != 0 && have < size && at + have == bytes.size()) break;
    append_utf8(out, size == 0 || have < size || c < kLeastOfLength[size] ? kReplacement : c);
    at += have;
  }
  return out;
}

// As many characters as there are, or as there is room for.
std::string name_text(std::span<const std::uint8_t> bytes, std::uint32_t length,
                      std::uint32_t width) {
  if (width == kUtf8Width) {
    const std::size_t size = std::min<std::size_t>(length, bytes.size());
    return utf8_of(bytes.first(size), length > size);
  }
  std::string out;
  if (width != 1 && width != 2 && width != 4) return out;
  const std::size_t count = std::min<std::size_t>(length, bytes.size() / width);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t c = 0;
    std::memcpy(&c, bytes.data() + i * width, width);
    append_utf8(out, c);
  }
  return out;
}

bool is_cut(std::size_t room, std::uint32_t length, std::uint32_t width) {
  return std::uint64_t{length} * (width == kUtf8Width ? 1 : width) > room;
}

}  // namespace

SourceName source_name_of(const SourceRecord& record) {
  SourceName name;
  name.function = name_text(record.function, record.function_length, record.function_width);
  if (is_cut(record.function.size(), record.function_length, record.function_width)) {
    name.function += "...";
  }
  name.file = name_text(record.file, record.file_length, record.file_width);
  if (is_cut(record.file.size(), record.file_length, record.file_width)) {
    name.file.insert(0, "...");
  }
  return name;
}

std::string source_text(const std::string& file, const std::string& function, std::uint64_t line) {
  if (function.empty()) return "[...]";
  return line == 0 ? fmt::format("{} ({})", function, file)
                   : fmt::format("{} ({}:{})", function, file, line);
}

}  // namespace dt::symbol
