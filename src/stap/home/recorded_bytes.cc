// Machine: bytes of memory, from the numbers that the firing has recorded of them. See
// meaning/memory_bytes.h.

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "stap/home/machine.h"
#include "stap/meaning/memory_bytes.h"

namespace dt::stap {
namespace {

// A character beyond Unicode, and half of a pair, is the sign that stands for one that is unknown.
void append_utf8(std::string& out, std::uint32_t code) {
  constexpr std::uint32_t kUnknown = 0xfffd, kMost = 0x10ffff, kFirstHalf = 0xd800, kHalves = 0x800;
  if (code > kMost || code - kFirstHalf < kHalves) code = kUnknown;
  const auto tail = [&](unsigned shift) {
    out += static_cast<char>(0x80 | ((code >> shift) & 0x3f));
  };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | (code >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | (code >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

// Two halves of a pair are one character.
std::uint32_t joined_pair(std::uint32_t high, std::uint32_t low) {
  constexpr std::uint32_t kHigh = 0xd800, kLow = 0xdc00, kHalf = 0x400, kBehind = 0x10000;
  if (high - kHigh >= kHalf || low - kLow >= kHalf) return 0;
  return kBehind + ((high - kHigh) << 10) + (low - kLow);
}

}  // namespace

// Adds the bytes; false where they could not be read.
bool Machine::word(std::uint64_t address, std::uint32_t size, bool is_userland,
                   std::string& out) const {
  char raw[kByteWord] = {};
  if (reads_now()) {
    AccessStep step;
    step.size = size;
    step.kind = AccessStep::Kind::kLoad;
    step.is_userland = is_userland;
    Value value;
    if (!read_now(step, address, value)) return false;
    std::memcpy(raw, &value.number, sizeof raw);
    out.append(raw, size);
    return true;
  }
  const auto found =
      std::find_if(firing_->readings.begin(), firing_->readings.end(), [&](const Reading& one) {
        return one.address == address && one.size == size && one.is_userland == is_userland;
      });
  if (found == firing_->readings.end() || !found->is_readable) return false;
  std::memcpy(raw, &found->bits, sizeof raw);
  out.append(raw, size);
  return true;
}

// With an answer for memory that cannot be read, more bytes than are recorded are no error either.
bool Machine::bytes(Expr& expr, const Access& of, std::uint64_t at, Value& out) {
  Value count;
  if (!evaluate(*of.bytes->count, count)) return false;
  if (count.number > kMostBytes && of.instead == nullptr) {
    return fail(fmt::format("at most {} bytes of memory are recorded", kMostBytes), expr.place);
  }
  const BytePieces pieces = pieces_of(*of.bytes);
  const bool is_userland = of.bytes->is_userland;
  const auto wanted =
      static_cast<std::size_t>(std::clamp<std::int64_t>(count.number, 0, kMostBytes));
  const std::size_t before = pieces.is_aligned ? at % kByteWord : 0;
  for (const BytePiece& one : pieces.list) {
    if (out.text.size() >= before + wanted) break;
    const std::uint64_t address = at - before + static_cast<std::uint64_t>(one.offset);
    if (word(address, one.size, is_userland, out.text)) continue;
    return fail(fmt::format("{} read fault [man error::fault] at {:#x}",
                            is_userland ? "user" : "kernel", std::max(address, at)),
                expr.place);
  }
  out.text = out.text.substr(std::min(before, out.text.size()), wanted);
  return true;
}

// What is recorded ends the text, too.
bool Machine::wide_text(Expr& expr, const AccessBytes& of, std::uint64_t at, Value& out) {
  std::string all;
  const std::size_t before = at % kByteWord;
  for (const BytePiece& one : pieces_of(of).list) {
    if (!word(at - before + static_cast<std::uint64_t>(one.offset), one.size, of.is_userland,
              all)) {
      break;
    }
  }
  std::uint32_t high = 0;
  bool is_ended = false;
  for (std::size_t i = before; i + of.unit <= all.size() && !is_ended; i += of.unit) {
    std::uint32_t code = 0;
    std::memcpy(&code, all.data() + i, of.unit);
    is_ended = code == 0;
    if (is_ended) break;
    const std::uint32_t pair = of.unit == 2 && high != 0 ? joined_pair(high, code) : 0;
    if (high != 0 && pair == 0) append_utf8(out.text, high);
    constexpr std::uint32_t kHigh = 0xd800, kHalf = 0x400;
    const bool is_half = of.unit == 2 && pair == 0 && code - kHigh < kHalf;
    if (!is_half) append_utf8(out.text, pair != 0 ? pair : code);
    high = is_half ? code : 0;
  }
  if (high != 0) append_utf8(out.text, high);
  if (is_ended || all.size() >= static_cast<std::size_t>(kMostBytes)) {
    cut(out.text);
    return true;
  }
  out.text.clear();
  return fail(fmt::format("{} string copy fault at {:#x} [man error::fault]",
                          of.is_userland ? "user" : "kernel", at),
              expr.place);
}

}  // namespace dt::stap
