// Where objects are.

#include "d/meaning/object.h"

#include <algorithm>

namespace dt::d {

using types::Kind;

bool is_expanded(const Expr* e) {
  return e->symbol == Symbol::kInline || e->symbol == Symbol::kTranslated;
}

bool is_translated(const Expr* e) { return e->translation != 0 || e->kind == ExprKind::kXlate; }

const Expr* origin_of(const Expr* e) {
  while (is_translated(e)) {
    const bool is_parameter = e->symbol == Symbol::kParameter;
    if (is_parameter && e->inlined == nullptr) {
      return e;
    }
    e = is_parameter || is_expanded(e) ? e->inlined : e->args[0];
  }
  return e;
}

const Expr* whole_of(const Expr* e, const TypeRules& rules) {
  for (;;) {
    const bool is_member = e->kind == ExprKind::kMember && !e->arrow;
    const bool is_element = e->kind == ExprKind::kIndex && e->symbol == Symbol::kUnresolved &&
                            rules.kind(e->args[0]->type) == Kind::kArray;
    if ((!is_member && !is_element) || is_expanded(e)) {
      return e;
    }
    e = e->args[0];
  }
}

Home home_of(const Expr* e, const TypeRules& rules) {
  const Expr* whole = whole_of(e, rules);
  if (whole->symbol == Symbol::kGlobal || whole->symbol == Symbol::kThread ||
      whole->symbol == Symbol::kClause) {
    return Home::kVariable;
  }
  // What stands for another object is in memory where that is, and a copy otherwise.
  const Expr* other = is_translated(whole) ? origin_of(whole)
                      : is_expanded(whole) ? whole->inlined
                                           : nullptr;
  if (whole->symbol == Symbol::kParameter && rules.is_aggregate(whole->type)) {
    other = whole->inlined;
    if (other == nullptr) {
      return Home::kMemory;  // a body is checked before anything is given to it
    }
  }
  if (other != nullptr && other != whole) {
    return home_of(other, rules) == Home::kMemory ? Home::kMemory : Home::kValue;
  }
  return whole->is_lvalue ? Home::kMemory : Home::kValue;
}

const Expr* variable_of(const Expr* e, const TypeRules& rules) {
  return home_of(e, rules) == Home::kVariable ? whole_of(e, rules) : nullptr;
}

bool is_object(types::TypeId type, const TypeRules& rules) {
  const Kind kind = rules.kind(type);
  return rules.is_aggregate(type) || rules.is_float(type) || kind == Kind::kArray ||
         kind == Kind::kStack || kind == Kind::kUserSymbol;
}

bool same_object(types::TypeId a, types::TypeId b, const TypeRules& rules) {
  const types::Type& left = rules.at(a);
  const types::Type& right = rules.at(b);
  if (left.kind != right.kind || rules.size(a) != rules.size(b)) {
    return false;
  }
  switch (left.kind) {
    case Kind::kFloat:
      return true;
    case Kind::kArray: {
      const types::Type& x = rules.at(left.target);
      const types::Type& y = rules.at(right.target);
      return x.kind == y.kind && (x.kind == Kind::kInt || x.kind == Kind::kPointer ||
                                  same_object(left.target, right.target, rules));
    }
    case Kind::kStruct:
    case Kind::kUnion:
      // Qualifiers make distinct nodes; the tag tells.
      return rules.catalog().same(a, b) || (!left.name.empty() && left.name == right.name);
    case Kind::kStack:
    case Kind::kSymbol:
    case Kind::kUserSymbol:
      return left.count == right.count;
    default:
      return false;
  }
}

std::optional<BitField> place_bit_field(const types::Catalog::Found& found, std::uint32_t type_size,
                                        std::uint32_t outer_size) {
  const auto holds = [&](std::uint32_t size, std::uint32_t offset) {
    return offset + size <= outer_size && found.bit_offset >= offset * 8 &&
           found.bit_offset + found.bit_size <= (offset + size) * 8;
  };
  const auto at = [&](std::uint32_t size, std::uint32_t offset) {
    return BitField{size, offset, found.bit_offset - offset * 8, found.bit_size};
  };
  const std::uint32_t natural = found.bit_offset / (type_size * 8) * type_size;
  if (holds(type_size, natural)) {
    return at(type_size, natural);
  }
  for (std::uint32_t size = 1; size <= 8 && size <= outer_size; size *= 2) {
    const std::uint32_t offset = std::min(found.bit_offset / 8, outer_size - size);
    if (holds(size, offset)) {
      return at(size, offset);
    }
  }
  return std::nullopt;
}

}  // namespace dt::d
