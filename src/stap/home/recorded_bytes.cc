// Bytes of memory, from the numbers that the firing has recorded of them. See recorded_memory.h.

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "stap/home/recorded_memory.h"
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
bool RecordedMemory::word(std::uint64_t address, std::uint32_t size, bool is_userland,
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
  const auto found = std::find_if(
      run_.firing->readings.begin(), run_.firing->readings.end(), [&](const Reading& one) {
        return one.address == address && one.size == size && one.is_userland == is_userland;
      });
  if (found == run_.firing->readings.end() || !found->is_readable) return false;
  std::memcpy(raw, &found->bits, sizeof raw);
  out.append(raw, size);
  return true;
}

bool RecordedMemory::bytes(const AccessBytes& of, std::uint64_t at, std::size_t wanted,
                           std::string& out, Fault& fault) const {
  const BytePieces pieces = pieces_of(of);
  const std::size_t before = pieces.is_aligned ? at % kByteWord : 0;
  for (const BytePiece& one : pieces.list) {
    if (out.size() >= before + wanted) break;
    const std::uint64_t address = at - before + static_cast<std::uint64_t>(one.offset);
    if (word(address, one.size, of.is_userland, out)) continue;
    fault.text = fmt::format("{} read fault [man error::fault] at {:#x}",
                             of.is_userland ? "user" : "kernel", std::max(address, at));
    return false;
  }
  out = out.substr(std::min(before, out.size()), wanted);
  return true;
}

bool RecordedMemory::wide_text(const AccessBytes& of, std::uint64_t at, std::string& out,
                               Fault& fault) const {
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
    if (high != 0 && pair == 0) append_utf8(out, high);
    constexpr std::uint32_t kHigh = 0xd800, kHalf = 0x400;
    const bool is_half = of.unit == 2 && pair == 0 && code - kHigh < kHalf;
    if (!is_half) append_utf8(out, pair != 0 ? pair : code);
    high = is_half ? code : 0;
  }
  if (high != 0) append_utf8(out, high);
  if (is_ended || all.size() >= static_cast<std::size_t>(kMostBytes)) {
    run_.cut(out);
    return true;
  }
  out.clear();
  fault.text = fmt::format("{} string copy fault at {:#x} [man error::fault]",
                           of.is_userland ? "user" : "kernel", at);
  return false;
}

}  // namespace dt::stap
