// See recorded_values.h.

#include "stap/home/recorded_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "stap/home/strings.h"
#include "stap/meaning/memory_bytes.h"
#include "stap/meaning/registers.h"

namespace dt::stap {
namespace {

std::int64_t low_part(std::int64_t value, std::uint32_t bytes, bool is_signed) {
  const std::uint32_t unused = (8 - bytes) * 8;
  const std::uint64_t high = static_cast<std::uint64_t>(value) << unused;
  return is_signed ? static_cast<std::int64_t>(high) >> unused
                   : static_cast<std::int64_t>(high >> unused);
}

// int_arg(1) is an int, whatever the program has written behind it; register("eax") is half of one.
std::int64_t narrowed(const Expr& call, std::int64_t value) {
  const std::string& function = call.text;
  if (function == "register" || function == "u_register") {
    const auto found = find_register(call.kids[0]->text);
    return low_part(value, found ? found->bytes : 8, function == "register");
  }
  if (function == "int_arg" || function == "s32_arg") return static_cast<std::int32_t>(value);
  if (function == "uint_arg" || function == "u32_arg") return static_cast<std::uint32_t>(value);
  return value;
}

}  // namespace

bool RecordedValues::leaf(Expr& expr, Value& out) {
  const auto which = static_cast<std::size_t>(expr.leaf);
  if (run_.firing == nullptr || which >= run_.firing->leaves.size()) {
    return run_.fail("no value of the probe", expr.place);
  }
  if (run_.firing->unreadable[which]) {
    if (expr.kids.size() > 1) return expressions_.evaluate(*expr.kids[1], out);
    if (expr.kind == ExprKind::kTarget) {
      if (run_.program.limits.skips_bad_variables) {
        out = {};
        return true;
      }
      return run_.fail("kernel read fault [man error::fault]", expr.place);
    }
    return run_.fail(fmt::format("{} string copy fault [man error::fault]",
                                 expr.text.starts_with("user") ? "user" : "kernel"),
                     expr.place);
  }
  out = run_.firing->leaves[which];
  if (expr.kind == ExprKind::kCall) out.number = narrowed(expr, out.number);
  if (expr.text.ends_with("_quoted")) out.text = printable_text(out.text, true, SIZE_MAX);
  return true;
}

bool RecordedValues::access(Expr& expr, Value& out) {
  Access& of = *expr.access;
  Value value;
  is_address_shown_ = is_skipped_ = false;
  const auto is_missing = [&] {
    const bool is_skipped = std::exchange(is_skipped_, false);
    if (of.instead == nullptr && !of.is_lenient && !is_skipped) return false;
    run_.error.clear();
    out = {};
    if (of.is_lenient && !of.shown.empty()) out.text = "?";
    return of.instead == nullptr || expressions_.evaluate(*of.instead, out);
  };
  if (of.address) {
    value.number = *of.address;
  } else if (of.base != nullptr) {
    run_.is_read_fault = false;
    if (!expressions_.evaluate(*of.base, value)) {
      // Of @cast(p, "t")->name, the way to the text is memory, too, as that of $x->name is.
      const bool is_path = of.base->access != nullptr && of.base->kind != ExprKind::kCall;
      return is_path && of.instead != nullptr && run_.is_read_fault && is_missing();
    }
  } else if (!leaf(expr, value)) {
    return false;
  }
  if (!steps(expr, of, value)) return is_missing();
  if (!of.shown.empty()) return show(expr, of, value.number, out) || is_missing();
  if (of.bytes) {
    const auto at = static_cast<std::uint64_t>(value.number);
    out = {};
    if (const bool is_read = bytes(expr, of, at, out); is_read || of.instead == nullptr) {
      return is_read;
    }
    run_.error.clear();
    return expressions_.evaluate(*of.instead, out);
  }
  out = std::move(value);
  if (expr.kind != ExprKind::kCall || is_address_shown_) return true;
  if (expr.text.find("string_n") != std::string::npos) {
    Value most;
    if (!expressions_.evaluate(*expr.kids[1], most)) return false;
    out.text.resize(std::min<std::size_t>(
        out.text.size(), static_cast<std::size_t>(std::max<std::int64_t>(most.number, 0))));
  }
  if (expr.text.ends_with("_quoted")) out.text = printable_text(out.text, true, SIZE_MAX);
  return true;
}

bool RecordedValues::steps(Expr& expr, Access& of, Value& value) {
  for (AccessStep& step : of.steps) {
    const auto at = static_cast<std::uint64_t>(value.number);
    switch (step.kind) {
      case AccessStep::Kind::kAdd:
        value.number = static_cast<std::int64_t>(at + static_cast<std::uint64_t>(step.number));
        break;
      case AccessStep::Kind::kIndex: {
        Value index;
        if (!expressions_.evaluate(*step.index, index)) return false;
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

bool RecordedValues::is_faulty(const Expr& expr, const RecordedMemory::Fault& fault) {
  run_.fail(fault.text, expr.place);
  run_.is_read_fault = fault.is_of_read;
  is_skipped_ =
      fault.is_of_read && expr.kind == ExprKind::kTarget && run_.program.limits.skips_bad_variables;
  return false;
}

bool RecordedValues::load(Expr& expr, const AccessStep& step, std::uint64_t address, Value& out) {
  const bool is_text = step.kind == AccessStep::Kind::kPath || step.kind == AccessStep::Kind::kText;
  // user_string_quoted(): what cannot be read is shown as its address, without quotes.
  if (is_text && expr.text.ends_with("_quoted") && !memory_.is_readable(step, address)) {
    out.text = fmt::format("{:#x}", address);
    is_address_shown_ = true;
    return true;
  }
  RecordedMemory::Fault fault;
  return memory_.load(step, address, out, fault) || is_faulty(expr, fault);
}

bool RecordedValues::show(const Expr& expr, const Access& of, std::int64_t at, Value& out) {
  out = {};
  RecordedMemory::Fault fault;
  return memory_.show(of, at, out.text, fault) || is_faulty(expr, fault);
}

// With an answer for memory that cannot be read, more bytes than are recorded are no error either.
bool RecordedValues::bytes(Expr& expr, const Access& of, std::uint64_t at, Value& out) {
  RecordedMemory::Fault fault;
  if (of.bytes->unit != 0) {
    return memory_.wide_text(*of.bytes, at, out.text, fault) || is_faulty(expr, fault);
  }
  Value count;
  if (!expressions_.evaluate(*of.bytes->count, count)) return false;
  if (count.number > kMostBytes && of.instead == nullptr) {
    return run_.fail(fmt::format("at most {} bytes of memory are recorded", kMostBytes),
                     expr.place);
  }
  const auto wanted =
      static_cast<std::size_t>(std::clamp<std::int64_t>(count.number, 0, kMostBytes));
  return memory_.bytes(*of.bytes, at, wanted, out.text, fault) || is_faulty(expr, fault);
}

}  // namespace dt::stap
