// C's conversions and the questions about types that the checker asks.

#include "d/meaning/type_meaning.h"

#include <algorithm>
#include <vector>

namespace dt::d {

using types::Kind;
using types::TypeId;

namespace {

// Whether every value of an enumeration that has a name is one of int.
bool fits_int(const types::Type& type) {
  return type.size <= 4 && std::all_of(type.enumerators.begin(), type.enumerators.end(),
                                       [](const types::Enumerator& one) {
                                         return one.value >= INT32_MIN && one.value <= INT32_MAX;
                                       });
}

// "const struct s *" apart.
struct WrittenType {
  std::string base;
  types::Tag tag = types::Tag::kNone;
  std::uint32_t pointers = 0;
  bool is_user = false;
};

WrittenType parts_of_type(std::string_view text) {
  WrittenType out;
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] == ' ' || text[i] == '\t') {
      ++i;
      continue;
    }
    if (text[i] == '*') {
      ++out.pointers;
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && text[i] != ' ' && text[i] != '\t' && text[i] != '*') {
      ++i;
    }
    const std::string_view word = text.substr(begin, i - begin);
    if (word == "const" || word == "volatile" || word == "restrict") {
      continue;
    }
    if (word == "userland") {
      out.is_user = true;
    } else if (word == "struct") {
      out.tag = types::Tag::kStruct;
    } else if (word == "union") {
      out.tag = types::Tag::kUnion;
    } else if (word == "enum") {
      out.tag = types::Tag::kEnum;
    } else {
      if (!out.base.empty()) {
        out.base += ' ';
      }
      out.base += word;
    }
  }
  return out;
}

}  // namespace

bool TypeRules::is_integer(TypeId id) const {
  const Kind k = kind(id);
  return k == Kind::kInt || k == Kind::kEnum;
}

bool TypeRules::is_pointer(TypeId id) const {
  const Kind k = kind(id);
  return k == Kind::kPointer || k == Kind::kArray || k == Kind::kFunction;
}

bool TypeRules::is_aggregate(TypeId id) const {
  const Kind k = kind(id);
  return k == Kind::kStruct || k == Kind::kUnion || k == Kind::kForward;
}

bool TypeRules::is_char_array(TypeId id) const {
  const types::Type& type = at(id);
  if (type.kind != Kind::kArray) {
    return false;
  }
  const types::Type& element = at(type.target);
  return element.kind == Kind::kInt && element.size == 1 && !element.is_bool;
}

bool TypeRules::is_string_like(TypeId id) const {
  const types::Type& type = at(id);
  if (type.kind == Kind::kString) {
    return true;
  }
  if (type.kind != Kind::kPointer && type.kind != Kind::kArray) {
    return false;
  }
  const types::Type& target = at(type.target);
  return target.kind == Kind::kInt && target.size == 1 && !target.is_bool && target.is_char;
}

TypeId TypeRules::char_type() const {
  return catalog_.find(types::Tag::kNone, "char").value_or(catalog_.integer(1, true));
}

bool TypeRules::takes_text(TypeId id) const {
  if (kind(id) != Kind::kPointer) {
    return false;
  }
  const types::Type& target = at(pointee(id));
  return target.kind == Kind::kVoid ||
         (target.kind == Kind::kInt && target.size == 1 && !target.is_bool);
}

bool TypeRules::is_dynamic(TypeId id) const {
  const Kind k = kind(id);
  return k == Kind::kStack || k == Kind::kSymbol || k == Kind::kUserSymbol;
}

bool TypeRules::is_signed(TypeId id) const {
  const types::Type& type = at(id);
  return (type.kind == Kind::kInt || type.kind == Kind::kEnum) && type.is_signed;
}

std::uint32_t TypeRules::size(TypeId id) const {
  const types::Type& type = at(id);
  if (type.kind == Kind::kPointer) {
    return 8;
  }
  if (type.kind == Kind::kArray) {
    return type.count * size(type.target);
  }
  return type.size;
}

TypeId TypeRules::pointee(TypeId id) const { return at(id).target; }

TypeId TypeRules::decay(TypeId id) {
  const types::Type& type = at(id);
  if (type.kind == Kind::kArray) {
    const TypeId target = type.target;
    const bool user = type.is_userland || catalog_.at(id).is_userland;
    return catalog_.pointer_to(user ? catalog_.userland(target) : target);
  }
  if (type.kind == Kind::kFunction) {
    return catalog_.pointer_to(id);
  }
  return id;
}

bool TypeRules::is_userland_pointer(TypeId id) const {
  const types::Type& type = at(id);
  if (type.kind != Kind::kPointer && type.kind != Kind::kArray) {
    return false;
  }
  return type.is_userland || catalog_.at(type.target).is_userland || at(type.target).is_userland;
}

TypeId TypeRules::to_userland(TypeId id) {
  const types::Type& type = at(id);
  if (type.kind == Kind::kPointer) {
    return is_userland_pointer(id) ? id : catalog_.pointer_to(catalog_.userland(type.target));
  }
  if (type.kind == Kind::kArray || is_aggregate(id)) {
    return catalog_.userland(id);
  }
  return id;
}

TypeId TypeRules::promote(TypeId id) const {
  const types::Type& type = at(id);
  if (type.kind == Kind::kEnum && (type.size == 4 || type.size == 8) && !fits_int(type)) {
    return catalog_.integer(type.size, type.is_signed);
  }
  if (type.kind == Kind::kEnum || (type.kind == Kind::kInt && type.size < 4)) {
    return int_type();
  }
  return id;
}

TypeId TypeRules::usual(TypeId a, TypeId b) const {
  const TypeId left = promote(a);
  const TypeId right = promote(b);
  const std::uint32_t left_size = size(left);
  const std::uint32_t right_size = size(right);
  if (left_size != right_size) {
    return left_size > right_size ? left : right;
  }
  return is_signed(left) ? right : left;
}

bool TypeRules::pointers_compatible(TypeId a, TypeId b) const {
  if (!is_pointer(a) || !is_pointer(b)) {
    return true;  // an integer and a pointer compare as addresses
  }
  const TypeId left = pointee(a);
  const TypeId right = pointee(b);
  if (is_void(left) || is_void(right) || catalog_.same(left, right)) {
    return true;
  }
  const types::Type& l = at(left);
  const types::Type& r = at(right);
  if (l.kind == Kind::kInt && r.kind == Kind::kInt) {
    return l.size == r.size;
  }
  // Qualifiers make distinct nodes; the tag tells.
  return l.kind == r.kind && !l.name.empty() && l.name == r.name;
}

ir::Type TypeRules::ir_type(TypeId id) const {
  if (is_integer(id)) {
    const types::Type& type = at(id);
    const std::uint32_t bytes = type.size == 0 || type.size > 8 ? 8 : type.size;
    return ir::Type::integer(bytes, type.is_signed);
  }
  return ir::Type::u64();
}

ir::Type TypeRules::widest(ir::Type a, ir::Type b) {
  if (a.is_signed == b.is_signed) {
    return a.size >= b.size ? a : b;
  }
  const std::uint32_t unsigned_size = a.is_signed ? b.size : a.size;
  const std::uint32_t signed_size = a.is_signed ? a.size : b.size;
  return ir::Type::integer(std::min(8U, std::max(signed_size, 2 * unsigned_size)), true);
}

// What is built in and what providers say is not what the script calls so, unless
// no other front-end does.
std::optional<TypeId> TypeRules::parse(std::string_view text) {
  if (const types::ScriptNames hidden(catalog_, true); const auto found = parse_named(text)) {
    return found;
  }
  return parse_named(text);
}

std::optional<TypeId> TypeRules::parse_named(std::string_view text) {
  const WrittenType name = parts_of_type(text);
  std::optional<TypeId> found;
  if (name.tag == types::Tag::kNone && name.base == "string") {
    found = catalog_.string_type();
  } else if (name.tag == types::Tag::kNone && name.base == "void") {
    found = catalog_.void_type();
  } else if (name.tag == types::Tag::kNone && name.base == "int") {
    found = int_type();
  } else {
    const std::size_t quote = name.base.rfind('`');  // "struct ext4`ext4_filename"
    found = quote == std::string::npos
                ? catalog_.find(name.tag, name.base)
                : catalog_.find(name.tag, name.base.substr(quote + 1), name.base.substr(0, quote));
  }
  if (!found) {
    return std::nullopt;
  }
  TypeId id = *found;
  for (std::uint32_t p = 0; p < name.pointers; ++p) {
    id = catalog_.pointer_to(name.is_user ? catalog_.userland(id) : id);
  }
  return id;
}

}  // namespace dt::d
