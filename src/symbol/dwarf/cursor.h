#pragma once
// Reading DWARF's numbers from bytes: past the end everything is 0, and ok() is
// false.
//
// A reader can take many values in a row and test ok() once at the end: after a failure the cursor
// is at the end, so loops over it terminate. Bytes come from files of any user, and nothing here
// reads beyond them.
//
// A LEB128 has seven bits in each byte, the lowest first; the upper bit says that another byte
// follows. Compilers may pad one with 0x80 bytes, so its length is not limited to ten; bits beyond
// 64 are dropped.

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace dt::symbol {

class DwarfCursor {
 public:
  DwarfCursor(std::span<const std::uint8_t> bytes, std::uint64_t at, std::uint64_t end)
      : bytes_(bytes), at_(at), end_(end < bytes.size() ? end : bytes.size()) {
    if (at_ > end_) fail();
  }

  bool ok() const { return ok_; }
  std::uint64_t at() const { return at_; }
  bool at_end() const { return at_ >= end_; }
  std::uint64_t left() const { return end_ - at_; }

  // `size` bytes, little-endian; at most 8.
  std::uint64_t fixed(std::size_t size) {
    std::uint64_t value = 0;
    if (size > sizeof value || size > left()) {
      fail();
      return 0;
    }
    std::memcpy(&value, bytes_.data() + at_, size);
    at_ += size;
    return value;
  }

  std::uint64_t uleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint64_t byte = fixed(1);
      if (!ok_) return 0;
      if (shift < 64) value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
  }

  // The same with a sign: bit 6 of the last byte is copied into all bits above.
  std::int64_t sleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint64_t byte = fixed(1);
      if (!ok_) return 0;
      if (shift < 64) value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) != 0) continue;
      if (shift + 7 < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << (shift + 7);
      return static_cast<std::int64_t>(value);
    }
  }

  void skip(std::uint64_t size) {
    if (size > left()) {
      fail();
    } else {
      at_ += size;
    }
  }

  std::span<const std::uint8_t> bytes(std::uint64_t size) {
    const std::uint64_t begin = at_;
    skip(size);
    return ok_ ? bytes_.subspan(begin, size) : std::span<const std::uint8_t>();
  }

  // A text with its NUL. Without a NUL before the end it is a failure: a text that is cut off could
  // be mistaken for another name.
  std::string_view text() {
    if (at_end()) {
      fail();
      return {};
    }
    const char* const begin = reinterpret_cast<const char*>(bytes_.data()) + at_;
    const std::size_t size = ::strnlen(begin, left());
    if (size == left()) {
      fail();
      return {};
    }
    at_ += size + 1;
    return {begin, size};
  }

 private:
  void fail() {
    ok_ = false;
    at_ = end_;
  }

  std::span<const std::uint8_t> bytes_;
  std::uint64_t at_, end_;
  bool ok_ = true;
};

}  // namespace dt::symbol
