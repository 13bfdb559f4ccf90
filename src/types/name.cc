// Types as C writes them, and whether two of them are the same type.
//
// C's declarations grow around the name: `int (*x)[3]`. The text is built from the innermost part
// outwards, with parentheses where a pointer stands before an array or a function.

#include "types/catalog_state.h"

namespace dt::types {
namespace {

constexpr std::size_t kMaxNameBytes = 4096;

std::string qualifiers(const Type& type) {
  std::string text;
  if (type.is_userland) text += "userland ";
  if (type.is_const) text += "const ";
  return text;
}

std::string base_name(const Type& type) {
  const char* tag = "";
  switch (type.kind) {
    case Kind::kStruct:
      tag = "struct";
      break;
    case Kind::kUnion:
      tag = "union";
      break;
    case Kind::kEnum:
      tag = "enum";
      break;
    case Kind::kForward:
      tag = type.is_union_forward ? "union" : "struct";
      break;
    case Kind::kVoid:
    case Kind::kInt:
    case Kind::kFloat:
    case Kind::kPointer:
    case Kind::kArray:
    case Kind::kFunction:
    case Kind::kTypedef:
    case Kind::kString:
    case Kind::kStack:
    case Kind::kSymbol:
    case Kind::kUserSymbol:
      return type.name;
  }
  return std::string(tag) + ' ' + (type.name.empty() ? "{...}" : type.name);
}

// Writes `id` around `inner`, a declarator such as "*" or "(*)[3]". `budget`
// bounds the text, whatever knots the types are tied in.
std::string spell(const Catalog& catalog, const Catalog::State& state, TypeId id, std::string inner,
                  int depth, std::size_t& budget) {
  const Type& type = state.types[id.value];
  if (depth > kMaxDepth || inner.size() >= budget) return "...";
  budget -= std::min(budget, inner.size() + 1);
  switch (type.kind) {
    case Kind::kPointer: {
      std::string star = "*";
      if (type.is_const) star += "const";
      if (type.is_const && !inner.empty()) star += ' ';
      star += inner;
      const Kind target = state.types[type.target.value].kind;
      if (target == Kind::kArray || target == Kind::kFunction) star = '(' + star + ')';
      std::string text = spell(catalog, state, type.target, std::move(star), depth + 1, budget);
      constexpr std::string_view kUserlandPrefix = "userland ";
      return type.is_userland && !text.starts_with(kUserlandPrefix)
                 ? std::string(kUserlandPrefix) + text
                 : text;
    }
    case Kind::kArray:
      inner += '[' + (type.count == 0 ? std::string() : std::to_string(type.count)) + ']';
      return spell(catalog, state, type.target, std::move(inner), depth + 1, budget);
    case Kind::kFunction: {
      inner += '(';
      for (std::size_t i = 0; i < type.members.size(); ++i) {
        if (i > 0) inner += ", ";
        inner += spell(catalog, state, type.members[i].type, {}, depth + 1, budget);
      }
      if (type.is_variadic) inner += type.members.empty() ? "..." : ", ...";
      if (type.members.empty() && !type.is_variadic) inner += "void";
      inner += ')';
      return spell(catalog, state, type.target, std::move(inner), depth + 1, budget);
    }
    case Kind::kVoid:
    case Kind::kInt:
    case Kind::kFloat:
    case Kind::kStruct:
    case Kind::kUnion:
    case Kind::kEnum:
    case Kind::kTypedef:
    case Kind::kForward:
    case Kind::kString:
    case Kind::kStack:
    case Kind::kSymbol:
    case Kind::kUserSymbol:
      break;
  }
  std::string text = qualifiers(type) + base_name(type);
  if (!inner.empty()) text += ' ' + inner;
  return text;
}

bool is_aggregate_kind(Kind kind) {
  return kind == Kind::kStruct || kind == Kind::kUnion || kind == Kind::kForward;
}

// A forward is the same as the definition of its tag.
bool same_aggregate(const Type& a, const Type& b) {
  const bool a_union = a.kind == Kind::kUnion || a.is_union_forward;
  const bool b_union = b.kind == Kind::kUnion || b.is_union_forward;
  if (a_union != b_union || a.name != b.name) return false;
  if (a.kind == Kind::kForward || b.kind == Kind::kForward) return !a.name.empty();
  if (a.size != b.size || a.members.size() != b.members.size()) return false;
  for (std::size_t i = 0; i < a.members.size(); ++i) {
    const Member& x = a.members[i];
    const Member& y = b.members[i];
    if (x.name != y.name || x.bit_offset != y.bit_offset || x.bit_size != y.bit_size) return false;
  }
  return true;
}

bool same_type(const Catalog& catalog, TypeId a, TypeId b, int depth, int& visits) {
  a = catalog.resolve(a);
  b = catalog.resolve(b);
  if (a == b) return true;
  if (depth > kMaxDepth || --visits < 0) return false;
  const Type& x = catalog.at(a);
  const Type& y = catalog.at(b);
  if (is_aggregate_kind(x.kind) && is_aggregate_kind(y.kind)) return same_aggregate(x, y);
  if (x.kind != y.kind) return false;
  switch (x.kind) {
    case Kind::kInt:
      return x.size == y.size && x.is_signed == y.is_signed && x.is_bool == y.is_bool;
    case Kind::kFloat:
      return x.size == y.size;
    case Kind::kEnum:
      return x.name == y.name && x.size == y.size && x.enumerators.size() == y.enumerators.size();
    case Kind::kArray:
      if (x.count != y.count) return false;
      [[fallthrough]];
    case Kind::kPointer:
      return same_type(catalog, x.target, y.target, depth + 1, visits);
    case Kind::kFunction: {
      if (x.members.size() != y.members.size() || x.is_variadic != y.is_variadic) return false;
      for (std::size_t i = 0; i < x.members.size(); ++i) {
        if (!same_type(catalog, x.members[i].type, y.members[i].type, depth + 1, visits)) {
          return false;
        }
      }
      return same_type(catalog, x.target, y.target, depth + 1, visits);
    }
    case Kind::kVoid:
    case Kind::kString:
      return true;
    case Kind::kStack:
    case Kind::kSymbol:
    case Kind::kUserSymbol:
      return x.count == y.count && x.size == y.size;
    case Kind::kStruct:
    case Kind::kUnion:
    case Kind::kForward:
    case Kind::kTypedef:
      return false;
  }
  return false;
}

}  // namespace

std::string Catalog::name(TypeId id) const {
  std::size_t budget = kMaxNameBytes;
  return spell(*this, *state_, id, {}, 0, budget);
}

std::string Catalog::declaration(TypeId id, std::string name) const {
  std::size_t budget = kMaxNameBytes;
  return spell(*this, *state_, id, std::move(name), 0, budget);
}

bool Catalog::same(TypeId a, TypeId b) const {
  int visits = kMaxVisits;
  return same_type(*this, a, b, 0, visits);
}

}  // namespace dt::types
