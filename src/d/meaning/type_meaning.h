#pragma once
// What the checker and the lowering ask about types: C's conversions as D
// applies them. Arithmetic itself is 64-bit; types decide
// signedness and what is stored or recorded.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ir/ir.h"
#include "types/type.h"

namespace dt::d {

class TypeRules {
 public:
  explicit TypeRules(types::Catalog& catalog) : catalog_(catalog) {}

  using Id = types::TypeId;

  types::Catalog& catalog() const { return catalog_; }
  const types::Type& at(Id id) const { return catalog_.resolved(id); }
  types::Kind kind(Id id) const { return at(id).kind; }

  bool is_void(Id id) const { return kind(id) == types::Kind::kVoid; }
  bool is_integer(Id id) const;  // enumerations too
  bool is_float(Id id) const { return kind(id) == types::Kind::kFloat; }
  bool is_arithmetic(Id id) const { return is_integer(id) || is_float(id); }
  // Pointers, and arrays and functions, which decay to one.
  bool is_pointer(Id id) const;
  bool is_scalar(Id id) const { return is_integer(id) || is_pointer(id); }
  // What can be true or false. An array is an address where one is wanted, but no condition.
  bool is_condition(Id id) const { return is_scalar(id) && kind(id) != types::Kind::kArray; }
  bool is_aggregate(Id id) const;  // struct or union, declared only ones too
  bool is_string(Id id) const { return kind(id) == types::Kind::kString; }
  bool is_char_array(Id id) const;
  // string, char * and char [n]: what D promotes to a string.
  bool is_string_like(Id id) const;
  // What an element of a string is, and what points to one.
  Id char_type() const;
  Id text_pointer() { return catalog_.pointer_to(char_type()); }
  // Whether the address of a string may become one: what points to bytes.
  bool takes_text(Id id) const;
  // stack, _symaddr, _usymaddr.
  bool is_dynamic(Id id) const;
  bool is_signed(Id id) const;
  std::uint32_t size(Id id) const;

  Id int_type() const { return catalog_.integer(4, true); }
  Id int64_type() const {
    return catalog_.find(types::Tag::kNone, "int64_t").value_or(catalog_.integer(8, true));
  }
  Id pointee(Id id) const;  // of a pointer or an array
  Id decay(Id id);          // array -> pointer, function -> pointer
  bool is_userland_pointer(Id id) const;
  // The same pointer type to user memory; other types unchanged.
  Id to_userland(Id id);

  Id promote(Id id) const;     // C's integer promotion
  Id usual(Id a, Id b) const;  // C's usual arithmetic conversions
  bool pointers_compatible(Id a, Id b) const;

  // The register that holds a value of a scalar type.
  ir::Type ir_type(Id id) const;
  // The smallest register type with every value of both; s64 where there is none.
  static ir::Type widest(ir::Type a, ir::Type b);
  // Names in messages.
  std::string name(Id id) const { return catalog_.name(id); }

  // "const struct task_struct *" -> its type; qualifiers but userland are ignored.
  std::optional<Id> parse(std::string_view text);

 private:
  std::optional<Id> parse_named(std::string_view text);

  types::Catalog& catalog_;
};

}  // namespace dt::d
