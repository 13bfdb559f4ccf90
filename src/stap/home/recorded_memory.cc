// See recorded_memory.h.

#include "stap/home/recorded_memory.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include "stap/home/processes.h"
#include "stap/home/strings.h"

namespace dt::stap {
namespace {

constexpr std::uint32_t kBitsOfByte = 8, kBitsOfWord = 64;

// The number of that many bits, from the lowest ones.
std::int64_t extended(std::uint64_t bits, std::uint32_t width, bool is_signed) {
  const std::uint32_t unused = kBitsOfWord - width;
  return is_signed ? static_cast<std::int64_t>(bits << unused) >> unused
                   : static_cast<std::int64_t>(bits << unused >> unused);
}

// What the step makes of the bytes at its address.
std::int64_t number_of_step(const AccessStep& step, std::uint64_t bits) {
  return step.bit_size == 0 ? extended(bits, step.size * kBitsOfByte, step.is_signed)
                            : extended(bits >> step.bit_offset, step.bit_size, step.is_signed);
}

}  // namespace

bool RecordedMemory::is_readable(const AccessStep& text, std::uint64_t address) const {
  Value ignored;
  if (reads_now()) return read_now(text, address, ignored);
  return std::any_of(run_.firing->readings.begin(), run_.firing->readings.end(),
                     [&](const Reading& one) {
                       return one.address == address && one.size == 0 &&
                              one.is_userland == text.is_userland && one.is_readable;
                     });
}

bool RecordedMemory::load(const AccessStep& step, std::uint64_t address, Value& out,
                          Fault& fault) const {
  const bool is_path = step.kind == AccessStep::Kind::kPath;
  const bool is_text = is_path || step.kind == AccessStep::Kind::kText;
  const std::uint32_t size = is_path ? kPathSize : is_text ? 0 : step.size;
  const auto unreadable = [&] {
    const std::string_view whose = step.is_userland ? "user" : "kernel";
    fault.is_of_read = true;
    fault.text =
        is_text ? fmt::format("{} string copy fault at {:#x} [man error::fault]", whose, address)
                : fmt::format("{} read fault [man error::fault] at {:#x}", whose, address);
    return false;
  };
  if (reads_now()) return read_now(step, address, out) || unreadable();
  for (const Reading& one : run_.firing->readings) {
    if (one.address != address || one.size != size || one.is_userland != step.is_userland) continue;
    if (!one.is_readable) return unreadable();
    if (is_text) {
      out.text = one.text;
      return true;
    }
    out.number = number_of_step(step, one.bits);
    return true;
  }
  constexpr std::uint64_t kFirstPage = 4096;
  if (address < kFirstPage) return unreadable();
  fault.text = fmt::format("memory at {:#x} was not recorded when the probe fired", address);
  return false;
}

bool RecordedMemory::read_now(const AccessStep& step, std::uint64_t address, Value& out) const {
  constexpr std::uint64_t kPage = 4096;
  const auto read = [&](std::uint64_t at, std::span<std::uint8_t> into) {
    const auto& read_kernel = run_.surroundings.read_kernel;
    if (!step.is_userland) return read_kernel && read_kernel(at, into);
    if (run_.firing == nullptr) return false;
    return read_process(run_.firing->contexts[static_cast<std::size_t>(Fn::pid)].number, at, into);
  };
  if (address < kPage) return false;
  if (step.kind == AccessStep::Kind::kPath) return false;  // a walk, which no handler here makes
  if (step.kind != AccessStep::Kind::kText) {
    std::uint64_t bits = 0;
    std::uint8_t bytes[sizeof bits] = {};
    if (!read(address, std::span(bytes).first(step.size))) return false;
    std::memcpy(&bits, bytes, sizeof bits);
    out.number = number_of_step(step, bits);
    return true;
  }
  // Up to the end of the text, and not into a page behind it, which may not be there.
  out.text.clear();
  const auto most = static_cast<std::uint64_t>(run_.program.limits.max_string_length - 1);
  while (out.text.size() < most) {
    std::uint8_t piece[kPage];
    const std::uint64_t size = std::min(most - out.text.size(), kPage - address % kPage);
    if (!read(address, std::span(piece).first(size))) return false;
    for (std::uint64_t i = 0; i < size; ++i) {
      if (piece[i] == 0) return true;
      out.text += static_cast<char>(piece[i]);
    }
    address += size;
  }
  return true;
}

bool RecordedMemory::show(const Access& of, std::int64_t at, std::string& out, Fault& fault) const {
  out.clear();
  for (const ShownPart& part : of.shown) {
    out += part.text;
    if (part.as == ShownPart::As::kText) continue;
    Value value;
    auto address = static_cast<std::uint64_t>(at) + static_cast<std::uint64_t>(part.offset);
    if (part.pointer) {
      if (!load(*part.pointer, address, value, fault)) return false;
      address = static_cast<std::uint64_t>(value.number);
    }
    if (part.as == ShownPart::As::kPointedText && !is_readable(part.load, address)) {
      out += fmt::format("{:#x}", address);
      continue;
    }
    if (part.load.kind == AccessStep::Kind::kAdd) {
      value.number = at;
    } else if (!load(part.load, address, value, fault)) {
      return false;
    }
    switch (part.as) {
      case ShownPart::As::kNumber:
        out += part.load.is_signed ? std::to_string(value.number)
                                   : std::to_string(static_cast<std::uint64_t>(value.number));
        break;
      case ShownPart::As::kHexadecimal:
        out += fmt::format("{:#x}", static_cast<std::uint64_t>(value.number));
        break;
      case ShownPart::As::kQuoted:
        value.text.resize(std::min<std::size_t>(value.text.size(), part.load.size));
        out += printable_text(value.text, true, SIZE_MAX);
        break;
      case ShownPart::As::kPointedText:
        out += printable_text(value.text, true, SIZE_MAX);
        break;
      case ShownPart::As::kCharacter:
        out += fmt::format("'{}'", printable_text(std::string(1, static_cast<char>(value.number)),
                                                  false, SIZE_MAX));
        break;
      case ShownPart::As::kText:
        break;
    }
  }
  run_.cut(out);
  return true;
}

}  // namespace dt::stap
