#pragma once
// Fields with tags, in the wire format of protocol buffers: a reader that does not know a tag
// passes over it, so later versions of a format can say more. (Readers of other formats in this
// form want fields of fixed width, too: fixed().)
//
//     field = varint(tag << 3 | 0) varint(number)                 a number
//           | varint(tag << 3 | 2) varint(length) bytes           a text, or fields within
//
// https://protobuf.dev/programming-guides/encoding/. Fields of fixed width (types 1 and 5) are
// passed over, groups are damage.

#include <cstdint>
#include <string>
#include <string_view>

namespace dt::support {

void append_varint(std::string& out, std::uint64_t number);
// False, and `from` as it was, when it holds none.
bool take_varint(std::string_view& from, std::uint64_t& number);

// 8 bytes, as a field of type 1 has them.
void append_fixed(std::string& out, std::uint64_t number);

// Small numbers of either sign as small ones: 0 -1 1 -2 -> 0 1 2 3.
constexpr std::uint64_t folded_sign(std::int64_t number) {
  return static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63);
}
constexpr std::int64_t unfolded_sign(std::uint64_t number) {
  return static_cast<std::int64_t>(number >> 1 ^ (std::uint64_t{0} - (number & 1)));
}

class TaggedWriter {
 public:
  // `out` must outlive this.
  explicit TaggedWriter(std::string& out) : out_(out) {}
  void number(std::uint32_t tag, std::uint64_t value);
  void text(std::uint32_t tag, std::string_view value);
  void fixed(std::uint32_t tag, std::uint64_t value);  // 8 bytes: type 1
  // A field that is made of fields: `fill` is given a writer of them.
  template <typename Fill>
  void within(std::uint32_t tag, const Fill& fill) {
    std::string bytes;
    TaggedWriter writer(bytes);
    fill(writer);
    text(tag, bytes);
  }
  // 0 and "" are what a reader takes a field for that is not there.
  void number_unless_0(std::uint32_t tag, std::uint64_t value) {
    if (value != 0) number(tag, value);
  }
  void text_unless_empty(std::uint32_t tag, std::string_view value) {
    if (!value.empty()) text(tag, value);
  }

 private:
  std::string& out_;
};

struct Tagged {
  std::uint32_t tag = 0;
  bool is_text = false;
  std::uint64_t number = 0;
  std::string_view text;
};

class TaggedReader {
 public:
  explicit TaggedReader(std::string_view bytes) : rest_(bytes) {}
  // False at the end, or where the bytes are no fields.
  bool next(Tagged& field);
  bool is_damaged() const { return is_damaged_; }

 private:
  bool take(std::size_t count, std::string_view& bytes);

  std::string_view rest_;
  bool is_damaged_ = false;
};

}  // namespace dt::support
