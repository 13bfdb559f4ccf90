#include "d/check/enumerations.h"

#include <fmt/core.h>

#include <algorithm>

#include "d/check/tables.h"
#include "d/meaning/function_table.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"

namespace dt::d {

using types::TypeId;

// An int holds them all, as C has it. Headers of C are read with what its compilers
// add: the smallest of unsigned int, long and unsigned long.
bool Enumerations::define(const EnumDecl& declared, types::Type& into) {
  if (define_all(declared, into)) {
    return true;
  }
  for (const EnumDecl::Item& item : declared.items) {
    if (tables_.find_enumerator(item.name) == nullptr) {
      tables_.set_unknown(item.name, ir::Scope::kGlobal);
    }
  }
  return false;
}

// The value that is written behind the enumerator, in 64 bits; nothing if it is wrong (reported).
std::optional<std::uint64_t> Enumerations::value_of(const EnumDecl::Item& item) {
  expr(item.value);
  if (bad(item.value)) {
    return std::nullopt;
  }
  if (!item.value->is_constant) {
    error("D_DECL_ENCONST", item.value->span,
          fmt::format("enumerator '{}' must be assigned to an integral constant expression",
                      item.name));
    return std::nullopt;
  }
  const std::uint64_t value = item.value->int_value;
  const types::Type& type = rules_.at(item.value->type);
  if (type.size != 4 || !is_included(item.span)) {
    return value;
  }
  // D computes in 64 bits; to C, 1 << 31 is an int.
  return type.is_signed ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(value)})
                        : static_cast<std::uint32_t>(value);
}

// Whether an enumerator before it in the same declaration has the name (reported).
bool Enumerations::is_taken(const EnumDecl::Item& item, const types::Type& by) {
  const bool is_taken = std::ranges::find(by.enumerators, item.name, &types::Enumerator::name) !=
                        by.enumerators.end();
  if (is_taken) {
    error("D_UNKNOWN", item.span,
          fmt::format("failed to define enumerator '{}': the name is taken by another one",
                      item.name));
  }
  return is_taken;
}

bool Enumerations::define_all(const EnumDecl& declared, types::Type& into) {
  into.size = 4;
  into.is_signed = true;
  bool is_any_negative = false;
  std::uint64_t next = 0;
  bool is_negative = false;  // next, as two's complement
  for (const EnumDecl::Item& item : declared.items) {
    if (item.value != nullptr) {
      const std::optional<std::uint64_t> value = value_of(item);
      if (!value) {
        return false;
      }
      next = *value;
      is_negative = rules_.at(item.value->type).is_signed && static_cast<std::int64_t>(next) < 0;
    }
    const std::optional<TypeId> type = type_of(item, next, is_negative);
    if (!type || is_taken(item, into)) {
      return false;
    }
    if (find_builtin(item.name) || tables_.find_variable(item.name, ir::Scope::kGlobal) ||
        !tables_.define_enumerator(item.name, {next, *type})) {
      error("D_DECL_IDRED", item.span, fmt::format("enumerator redeclared: {}", item.name));
      return false;
    }
    into.enumerators.push_back({item.name, static_cast<std::int64_t>(next)});
    is_any_negative = is_any_negative || is_negative;
    const types::Type& own = rules_.at(*type);
    into.is_signed = into.size == own.size  ? into.is_signed && own.is_signed
                     : into.size < own.size ? own.is_signed
                                            : into.is_signed;
    into.size = std::max(into.size, own.size);
    ++next;
    is_negative = is_negative && next != 0;
  }
  if (is_any_negative && !into.is_signed) {
    into.size = 8;
    into.is_signed = true;
  }
  return true;
}

void Enumerations::belong(const EnumDecl& declared, TypeId enumeration) {
  if (!rules_.catalog().same(rules_.promote(enumeration), rules_.int_type())) {
    return;
  }
  for (const EnumDecl::Item& item : declared.items) {
    tables_.set_enumerator_type(item.name, enumeration);
  }
}

std::optional<TypeId> Enumerations::type_of(const EnumDecl::Item& item, std::uint64_t value,
                                            bool is_negative) {
  const auto as_signed = static_cast<std::int64_t>(value);
  if (is_negative ? as_signed >= INT32_MIN : value <= INT32_MAX) {
    return rules_.int_type();
  }
  if (!is_included(item.span)) {
    error("D_DECL_ENOFLOW", item.span,
          fmt::format("enumerator '{}' value overflows INT_MAX", item.name));
    return std::nullopt;
  }
  if (!is_negative && value <= UINT32_MAX) {
    return world_.types.integer(4, false);
  }
  return world_.types.integer(8, is_negative || as_signed >= 0);
}

bool Enumerations::is_included(Span span) const {
  return sources_.at(span.source).is_included(span.begin);
}

}  // namespace dt::d
