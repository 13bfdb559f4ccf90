// Machine: memory, as the firing has recorded it. See meaning/access.h and events/origins.h.

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "stap/home/machine.h"

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

bool Machine::access(Expr& expr, Value& out) {
  Access& of = *expr.access;
  Value value;
  is_address_shown_ = is_skipped_ = false;
  const auto is_missing = [&] {
    const bool is_skipped = std::exchange(is_skipped_, false);
    if (of.instead == nullptr && !of.is_lenient && !is_skipped) return false;
    error_.clear();
    out = {};
    if (of.is_lenient && !of.shown.empty()) out.text = "?";
    return of.instead == nullptr || evaluate(*of.instead, out);
  };
  if (of.address) {
    value.number = *of.address;
  } else if (of.base != nullptr) {
    is_read_fault_ = false;
    if (!evaluate(*of.base, value)) {
      // Of @cast(p, "t")->name, the way to the text is memory, too, as that of $x->name is.
      const bool is_path = of.base->access != nullptr && of.base->kind != ExprKind::kCall;
      return is_path && of.instead != nullptr && is_read_fault_ && is_missing();
    }
  } else if (!leaf(expr, value)) {
    return false;
  }
  if (!steps(expr, of, value)) return is_missing();
  if (!of.shown.empty()) return shown(expr, of, value.number, out) || is_missing();
  if (of.bytes) {
    const auto at = static_cast<std::uint64_t>(value.number);
    out = {};
    const bool is_read =
        of.bytes->unit == 0 ? bytes(expr, of, at, out) : wide_text(expr, *of.bytes, at, out);
    if (is_read || of.instead == nullptr) return is_read;
    error_.clear();
    return evaluate(*of.instead, out);
  }
  out = std::move(value);
  if (expr.kind != ExprKind::kCall || is_address_shown_) return true;
  if (expr.text.find("string_n") != std::string::npos) {
    Value most;
    if (!evaluate(*expr.kids[1], most)) return false;
    out.text.resize(std::min<std::size_t>(
        out.text.size(), static_cast<std::size_t>(std::max<std::int64_t>(most.number, 0))));
  }
  if (expr.text.ends_with("_quoted")) out.text = printable_text(out.text, true, SIZE_MAX);
  return true;
}

bool Machine::steps(Expr& expr, Access& of, Value& value) {
  for (AccessStep& step : of.steps) {
    const auto at = static_cast<std::uint64_t>(value.number);
    switch (step.kind) {
      case AccessStep::Kind::kAdd:
        value.number = static_cast<std::int64_t>(at + static_cast<std::uint64_t>(step.number));
        break;
      case AccessStep::Kind::kIndex: {
        Value index;
        if (!evaluate(*step.index, index)) return false;
        value.number = static_cast<std::int64_t>(at + static_cast<std::uint64_t>(index.number) *
                                                          static_cast<std::uint64_t>(step.number));
        break;
      }
      case AccessStep::Kind::kLoad:
      case AccessStep::Kind::kText:
      case AccessStep::Kind::kPath:
        if (!load(expr, step, at, value)) return false;
        break;
    }
  }
  return true;
}

bool Machine::is_readable(const AccessStep& step, std::uint64_t address) const {
  Value ignored;
  if (reads_now()) return read_now(step, address, ignored);
  return std::any_of(firing_->readings.begin(), firing_->readings.end(), [&](const Reading& one) {
    return one.address == address && one.size == 0 && one.is_userland == step.is_userland &&
           one.is_readable;
  });
}

bool Machine::load(Expr& expr, const AccessStep& step, std::uint64_t address, Value& out) {
  const bool is_path = step.kind == AccessStep::Kind::kPath;
  const bool is_text = is_path || step.kind == AccessStep::Kind::kText;
  const std::uint32_t size = is_path ? kPathSize : is_text ? 0 : step.size;
  const auto fault = [&] {
    const std::string_view whose = step.is_userland ? "user" : "kernel";
    fail(is_text ? fmt::format("{} string copy fault at {:#x} [man error::fault]", whose, address)
                 : fmt::format("{} read fault [man error::fault] at {:#x}", whose, address),
         expr.place);
    is_read_fault_ = true;
    is_skipped_ = expr.kind == ExprKind::kTarget && program_.limits.skips_bad_variables;
    return false;
  };
  // user_string_quoted(): what cannot be read is shown as its address, without quotes.
  if (is_text && expr.text.ends_with("_quoted") && !is_readable(step, address)) {
    out.text = fmt::format("{:#x}", address);
    is_address_shown_ = true;
    return true;
  }
  if (reads_now()) return read_now(step, address, out) || fault();
  for (const Reading& one : firing_->readings) {
    if (one.address != address || one.size != size || one.is_userland != step.is_userland) continue;
    if (!one.is_readable) return fault();
    if (is_text) {
      out.text = one.text;
      return true;
    }
    out.number = number_of_step(step, one.bits);
    return true;
  }
  constexpr std::uint64_t kFirstPage = 4096;
  if (address < kFirstPage) return fault();
  return fail(fmt::format("memory at {:#x} was not recorded when the probe fired", address),
              expr.place);
}

// Handlers of begin, end and timers read the kernel's memory as it is when they run.
bool Machine::read_now(const AccessStep& step, std::uint64_t address, Value& out) const {
  constexpr std::uint64_t kPage = 4096;
  if (!surroundings_.read_kernel || step.is_userland || address < kPage) return false;
  if (step.kind == AccessStep::Kind::kPath) return false;  // a walk, which no handler here makes
  if (step.kind != AccessStep::Kind::kText) {
    std::uint64_t bits = 0;
    std::uint8_t bytes[sizeof bits] = {};
    if (!surroundings_.read_kernel(address, std::span(bytes).first(step.size))) return false;
    std::memcpy(&bits, bytes, sizeof bits);
    out.number = number_of_step(step, bits);
    return true;
  }
  // Up to the end of the text, and not into a page behind it, which may not be there.
  out.text.clear();
  const auto most = static_cast<std::uint64_t>(program_.limits.max_string_length - 1);
  while (out.text.size() < most) {
    std::uint8_t piece[kPage];
    const std::uint64_t size = std::min(most - out.text.size(), kPage - address % kPage);
    if (!surroundings_.read_kernel(address, std::span(piece).first(size))) return false;
    for (std::uint64_t i = 0; i < size; ++i) {
      if (piece[i] == 0) return true;
      out.text += static_cast<char>(piece[i]);
    }
    address += size;
  }
  return true;
}

bool Machine::shown(Expr& expr, const Access& of, std::int64_t at, Value& out) {
  out = {};
  for (const ShownPart& part : of.shown) {
    out.text += part.text;
    if (part.as == ShownPart::As::kText) continue;
    Value value;
    auto address = static_cast<std::uint64_t>(at) + static_cast<std::uint64_t>(part.offset);
    if (part.pointer) {
      if (!load(expr, *part.pointer, address, value)) return false;
      address = static_cast<std::uint64_t>(value.number);
    }
    if (part.as == ShownPart::As::kPointedText && !is_readable(part.load, address)) {
      out.text += fmt::format("{:#x}", address);
      continue;
    }
    if (part.load.kind == AccessStep::Kind::kAdd) {
      value.number = at;
    } else if (!load(expr, part.load, address, value)) {
      return false;
    }
    switch (part.as) {
      case ShownPart::As::kNumber:
        out.text += part.load.is_signed ? std::to_string(value.number)
                                        : std::to_string(static_cast<std::uint64_t>(value.number));
        break;
      case ShownPart::As::kHexadecimal:
        out.text += fmt::format("{:#x}", static_cast<std::uint64_t>(value.number));
        break;
      case ShownPart::As::kQuoted:
        value.text.resize(std::min<std::size_t>(value.text.size(), part.load.size));
        out.text += printable_text(value.text, true, SIZE_MAX);
        break;
      case ShownPart::As::kPointedText:
        out.text += printable_text(value.text, true, SIZE_MAX);
        break;
      case ShownPart::As::kCharacter:
        out.text += fmt::format(
            "'{}'",
            printable_text(std::string(1, static_cast<char>(value.number)), false, SIZE_MAX));
        break;
      case ShownPart::As::kText:
        break;
    }
  }
  cut(out.text);
  return true;
}

}  // namespace dt::stap
