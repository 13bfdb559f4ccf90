#pragma once
// Enumerations that the script declares: the values and the types of their enumerators.

#include <cstdint>
#include <optional>

#include "d/check/part.h"
#include "d/syntax/ast.h"

namespace dt::d {

class Tables;

class Enumerations : Part {
 public:
  Enumerations(Context& context, Tables& tables) : Part(context), tables_(tables) {}

  // Gives `into` its enumerators, its size and its sign; false when one is wrong (reported).
  bool define(const EnumDecl& declared, types::Type& into);
  // The enumerators that are ints are of the enumeration's type.
  void belong(const EnumDecl& declared, TypeId enumeration);

 private:
  bool define_all(const EnumDecl& declared, types::Type& into);
  std::optional<std::uint64_t> value_of(const EnumDecl::Item& item);
  bool is_taken(const EnumDecl::Item& item, const types::Type& by);
  std::optional<TypeId> type_of(const EnumDecl::Item& item, std::uint64_t value, bool is_negative);
  // Whether a declaration stands in a header of C that is included.
  bool is_included(Span span) const;

  Tables& tables_;
};

}  // namespace dt::d
