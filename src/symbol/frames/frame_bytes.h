#pragma once
// A part of a section of call frame information, read from its front and with bounds.
// What is not there reads as zeros, and ok() tells so ever after.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace dt::symbol {

// Unlike DwarfCursor it knows at which address its bytes are loaded, because addresses in .eh_frame
// count from the place where they are written.
class FrameBytes {
 public:
  // `address`: where the first byte is loaded.
  FrameBytes(std::span<const std::uint8_t> bytes, std::uint64_t address)
      : bytes_(bytes), address_(address) {}

  bool ok() const { return !failed_; }
  bool at_end() const { return at_ == bytes_.size(); }
  std::size_t left() const { return bytes_.size() - at_; }
  // How many bytes have been read.
  std::size_t position() const { return at_; }
  std::uint64_t address() const { return address_ + at_; }
  void fail() {
    failed_ = true;
    at_ = bytes_.size();
  }

  template <typename T>
  T read() {
    T value{};
    if (left() < sizeof value) {
      fail();
      return value;
    }
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  // Bits beyond the 64th are dropped.
  std::uint64_t uleb() {
    unsigned bits = 0;
    return leb(bits);
  }
  std::int64_t sleb() {
    unsigned bits = 0;
    std::uint64_t value = leb(bits);
    if (bits < 64 && bits > 0 && (value >> (bits - 1) & 1) != 0) value |= ~std::uint64_t{0} << bits;
    return static_cast<std::int64_t>(value);
  }
  // The next bytes by themselves.
  // An entry reads within its own bytes only: one that claims more than it has cannot read into the
  // next.
  FrameBytes take(std::uint64_t size) {
    if (size > left()) {
      fail();
      FrameBytes none({}, address());
      none.fail();
      return none;
    }
    FrameBytes part(bytes_.subspan(at_, static_cast<std::size_t>(size)), address());
    at_ += static_cast<std::size_t>(size);
    return part;
  }
  // A NUL ends it.
  std::string_view text() {
    const std::string_view rest(reinterpret_cast<const char*>(bytes_.data()) + at_, left());
    const std::size_t end = rest.find('\0');
    if (end == rest.npos) {
      fail();
      return {};
    }
    at_ += end + 1;
    return rest.substr(0, end);
  }

  // An address in one of the encodings of the Linux Standard Base, 10.5: the low four bits
  // tell how it is written, the next three from where it counts. `data`: from where those do
  // that count from the data of the file.
  std::uint64_t pointer(std::uint8_t encoding, std::optional<std::uint64_t> data) {
    const std::uint64_t here = address();
    const std::uint64_t value = number(encoding);
    switch (encoding & 0xf0) {
      case 0x00:
        return value;
      // DW_EH_PE_pcrel.
      case 0x10:
        return here + value;
      // DW_EH_PE_datarel.
      case 0x30:
        if (data) return *data + value;
        break;
      default:  // from the text, from the function, aligned, or where it is to be found
        break;
    }
    fail();
    return 0;
  }
  // The number of such a value, without adding where it counts from; a size is such a number. By
  // the low four bits of the encoding: absptr, uleb128, udata2, udata4, udata8, and the same with a
  // sign from 8 on.
  std::uint64_t number(std::uint8_t encoding) {
    const auto extended = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    switch (encoding & 0x0f) {
      case 0x00:
      case 0x04:
      case 0x0c:
        return read<std::uint64_t>();
      case 0x01:
        return uleb();
      case 0x02:
        return read<std::uint16_t>();
      case 0x03:
        return read<std::uint32_t>();
      case 0x09:
        return extended(sleb());
      case 0x0a:
        return extended(read<std::int16_t>());
      case 0x0b:
        return extended(read<std::int32_t>());
      default:
        fail();
        return 0;
    }
  }

 private:
  static constexpr unsigned kMaxBits = 70;  // ten bytes

  // `bits`: how many were read.
  std::uint64_t leb(unsigned& bits) {
    std::uint64_t value = 0;
    while (bits < kMaxBits) {
      const auto byte = read<std::uint8_t>();
      if (bits < 64) value |= std::uint64_t{byte & 0x7fU} << bits;
      bits += 7;
      if ((byte & 0x80) == 0) return value;
    }
    fail();
    return 0;
  }

  std::span<const std::uint8_t> bytes_;
  std::uint64_t address_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace dt::symbol
