#include "d/check/objects.h"

#include <fmt/core.h>

#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::d {

namespace {

// Of one variable. The kernel gives a thread's variables together little more.
constexpr std::uint32_t kMaxVariableBytes = 32768;

}  // namespace

bool Objects::may_hold(Span span, std::string_view name, TypeId type) {
  const auto refuse = [&](const char* tag, std::string why) {
    error(tag, span, std::move(why));
    return false;
  };
  if (rules_.is_string(type) || rules_.is_integer(type) ||
      rules_.kind(type) == types::Kind::kPointer) {
    return true;
  }
  if (!is_object(type, rules_)) {
    return refuse("D_UNKNOWN", fmt::format("a variable cannot hold a value of type \"{}\": {}",
                                           rules_.name(type), name));
  }
  const std::uint32_t size = rules_.size(type);
  if (size == 0) {
    return refuse("D_DECL_INCOMPLETE",
                  fmt::format("incomplete struct/union/enum {}: {}", rules_.name(type), name));
  }
  if (size > kMaxVariableBytes) {
    return refuse("D_DECL_ARRBIG",
                  fmt::format("a variable of {} bytes is too large: the limit is {}: {}", size,
                              kMaxVariableBytes, name));
  }
  return true;
}

// A constant index of an array in a variable is within it; others are checked
// when the clause runs.
bool Objects::within_bounds(const Expr* base, const Expr* at) {
  if (rules_.kind(base->type) != types::Kind::kArray || home_of(base, rules_) == Home::kMemory ||
      !at->is_constant) {
    return true;
  }
  const std::uint32_t count = rules_.at(base->type).count;
  const auto index = static_cast<std::int64_t>(at->int_value);
  if (index >= 0 && index < count) {
    return true;
  }
  error("D_ARR_BADREF", at->span,
        fmt::format("index {} is out of range for {}: it has {} element{}", index,
                    sources_.text(base->span), count, count == 1 ? "" : "s"));
  return false;
}

bool Objects::integer_index(Expr* at) {
  expr(at);
  if (bad(at)) {
    return false;
  }
  if (!rules_.is_integer(at->type)) {
    error("D_ARR_BADREF", at->span,
          fmt::format("array index must be of integral type, not \"{}\"", type_name(at)));
    return false;
  }
  return true;
}

}  // namespace dt::d
