// See tagged.h.

#include "support/tagged.h"

namespace dt::support {
namespace {

enum WireType : std::uint32_t { kVarint = 0, kFixed64 = 1, kLength = 2, kFixed32 = 5 };
constexpr std::uint32_t kTypeBits = 3;

}  // namespace

void append_varint(std::string& out, std::uint64_t number) {
  while (number >= 0x80) {
    out += static_cast<char>(0x80 | (number & 0x7f));
    number >>= 7;
  }
  out += static_cast<char>(number);
}

void append_fixed(std::string& out, std::uint64_t number) {
  constexpr int kBytes = 8;
  for (int i = 0; i < kBytes; ++i) out += static_cast<char>(number >> (8 * i) & 0xff);
}

bool take_varint(std::string_view& from, std::uint64_t& number) {
  std::uint64_t value = 0;
  constexpr std::size_t kMostBytes = 10;
  for (std::size_t i = 0; i < from.size() && i < kMostBytes; ++i) {
    const auto byte = static_cast<std::uint8_t>(from[i]);
    value |= std::uint64_t{byte & 0x7fU} << (7 * i);
    if ((byte & 0x80) == 0) {
      from.remove_prefix(i + 1);
      number = value;
      return true;
    }
  }
  return false;
}

void TaggedWriter::number(std::uint32_t tag, std::uint64_t value) {
  append_varint(out_, std::uint64_t{tag} << kTypeBits | kVarint);
  append_varint(out_, value);
}

void TaggedWriter::text(std::uint32_t tag, std::string_view value) {
  append_varint(out_, std::uint64_t{tag} << kTypeBits | kLength);
  append_varint(out_, value.size());
  out_ += value;
}

void TaggedWriter::fixed(std::uint32_t tag, std::uint64_t value) {
  append_varint(out_, std::uint64_t{tag} << kTypeBits | kFixed64);
  append_fixed(out_, value);
}

bool TaggedReader::take(std::size_t count, std::string_view& bytes) {
  if (count > rest_.size()) return false;
  bytes = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return true;
}

bool TaggedReader::next(Tagged& field) {
  while (!rest_.empty() && !is_damaged_) {
    std::uint64_t key = 0;
    std::uint64_t length = 0;
    std::string_view passed_over;
    is_damaged_ = !take_varint(rest_, key) || key >> kTypeBits > UINT32_MAX;
    if (is_damaged_) return false;
    field = {};
    field.tag = static_cast<std::uint32_t>(key >> kTypeBits);
    switch (key & ((1U << kTypeBits) - 1)) {
      case kVarint:
        is_damaged_ = !take_varint(rest_, field.number);
        return !is_damaged_;
      case kLength:
        field.is_text = true;
        is_damaged_ = !take_varint(rest_, length) || !take(length, field.text);
        return !is_damaged_;
      case kFixed64:
        is_damaged_ = !take(8, passed_over);
        break;
      case kFixed32:
        is_damaged_ = !take(4, passed_over);
        break;
      default:
        is_damaged_ = true;
    }
  }
  return false;
}

}  // namespace dt::support
