// C's declarators read from the name outwards: in `int *a[3]`, a is an array of pointers; in `int
// (*a)[3]`, a pointer to an array. The parser keeps the parts in the order in which they apply;
// here they are applied to the type one after another.

#include "d/check/type_names.h"

#include <fmt/core.h>

#include <algorithm>

#include "d/check/enumerations.h"
#include "d/check/prototypes.h"
#include "d/check/scope.h"
#include "d/check/struct_layout.h"
#include "d/check/unknown_types.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"

namespace dt::d {

using types::TypeId;

namespace {

types::Tag struct_tag(const TypeSpec& spec) {
  return spec.tag == TypeSpec::Tag::kUnion ? types::Tag::kUnion : types::Tag::kStruct;
}

}  // namespace

std::optional<TypeId> TypeNames::type_of(const TypeName& name) {
  const std::optional<TypeId> base = base_type(name.spec);
  if (!base) {
    return std::nullopt;
  }
  return apply(*base, name.declarator, nullptr, nullptr);
}

std::optional<TypeId> TypeNames::base_type(const TypeSpec& spec) {
  std::optional<TypeId> type;
  if (spec.tag != TypeSpec::Tag::kNone && !takes_no_words(spec)) {
    return std::nullopt;
  }
  if (spec.tag == TypeSpec::Tag::kEnum) {
    type = enum_type(spec);
  } else if (spec.tag != TypeSpec::Tag::kNone) {
    type = struct_type(spec);
  } else {
    type = basic_type(spec);
  }
  if (type && spec.is_userland) {
    type = world_.types.userland(*type);
  }
  if (type && spec.is_const) {
    type = world_.types.constant(*type);
  }
  return type;
}

// Whether the type has none of the words that are for integers (signed, long, ...).
bool TypeNames::takes_no_words(const TypeSpec& spec, int longs_allowed) {
  if (spec.is_signed || spec.is_unsigned) {
    error("D_DECL_SIGNINT", spec.span,
          "invalid type declaration: signed and unsigned may only be used with integer type");
    return false;
  }
  if (spec.is_short || spec.longs > longs_allowed) {
    error("D_DECL_LONGINT", spec.span,
          "invalid type declaration: short and long may only be used with integer type");
    return false;
  }
  return true;
}

std::optional<TypeId> TypeNames::int_type(const TypeSpec& spec) {
  if (spec.is_short && spec.longs > 0) {
    error("D_DECL_COMBO", spec.span, "invalid type combination: short and long");
    return std::nullopt;
  }
  const std::uint32_t size = spec.is_short ? 2 : spec.longs > 0 ? 8 : 4;
  return world_.types.integer(size, !spec.is_unsigned);
}

std::optional<TypeId> TypeNames::char_type(const TypeSpec& spec) {
  if (spec.is_short || spec.longs > 0) {
    error("D_DECL_CHARATTR", spec.span, "invalid type declaration: char takes no short or long");
    return std::nullopt;
  }
  if (!spec.is_unsigned) {
    return world_.types.char_type();
  }
  return world_.types.find(types::Tag::kNone, "unsigned char")
      .value_or(world_.types.integer(1, false));
}

// The type of a word of C or of D, or of a typedef, with signed, long and similar words before it.
std::optional<TypeId> TypeNames::basic_type(const TypeSpec& spec) {
  const std::string& base = spec.base;
  if (spec.has_twice || spec.longs > 2) {
    error("D_DECL_COMBO", spec.span, "invalid type combination: a word stands too often");
    return std::nullopt;
  }
  // A word of C is the same type in every module, but the module must be one.
  if (!spec.module.empty() && !world_.types.has_module(spec.module)) {
    unknown_types_.report(spec, types::Tag::kNone, base);
    return std::nullopt;
  }
  const bool words = spec.is_signed || spec.is_unsigned || spec.is_short || spec.longs > 0;
  if (spec.is_signed && spec.is_unsigned) {
    error("D_DECL_COMBO", spec.span, "invalid type combination: signed and unsigned");
    return std::nullopt;
  }
  if (base.empty() || base == "int") {
    return int_type(spec);
  }
  if (base == "char") {
    return char_type(spec);
  }
  if (base == "void" && words) {
    error("D_DECL_VOIDATTR", spec.span,
          "invalid type declaration: attributes may not be used with void");
    return std::nullopt;
  }
  const int longs_allowed = base == "double" ? 1 : 0;  // long double
  if (!takes_no_words(spec, longs_allowed)) {
    return std::nullopt;
  }
  if (base == "void") {
    return world_.types.void_type();
  }
  if (base == "string") {
    return world_.types.string_type();
  }
  const std::string name = spec.longs > 0 ? "long double" : base;
  const auto found = world_.types.find(types::Tag::kNone, name, spec.module);
  if (!found && !is_unknown(types::Tag::kNone, spec, name)) {
    unknown_types_.report(spec, types::Tag::kNone, name);
  }
  return found;
}

// A pointer to it may be used; its members may not.
TypeId TypeNames::forward(const TypeSpec& spec) {
  types::Type type;
  type.kind = types::Kind::kForward;
  type.name = spec.tag_name;
  type.is_union_forward = spec.tag == TypeSpec::Tag::kUnion;
  return world_.types.add(type);
}

std::optional<TypeId> TypeNames::struct_type(const TypeSpec& spec) {
  return spec.body == nullptr ? mentioned_struct(spec) : defined_struct(spec);
}

// "struct s" without members: one that is known, or one that may be defined later.
std::optional<TypeId> TypeNames::mentioned_struct(const TypeSpec& spec) {
  const types::Tag tag = struct_tag(spec);
  if (is_unknown(tag, spec, spec.tag_name)) {
    return std::nullopt;
  }
  std::optional<TypeId> known;
  if (!spec.tag_name.empty()) {
    known = world_.types.find(tag, spec.tag_name, spec.module);
  }
  if (!known && !spec.module.empty()) {
    unknown_types_.report(spec, tag, spec.tag_name);
    return std::nullopt;
  }
  if (!known) {
    bool is_ambiguous = false;
    known = unknown_types_.of_some_module(spec, tag, is_ambiguous);
    if (is_ambiguous) {
      return std::nullopt;
    }
  }
  if (known) {
    return known;
  }
  const TypeId id = forward(spec);
  if (!scope_.in_library) {  // a library's mention of it tells a program nothing
    world_.types.declare(tag, spec.tag_name, id);
  }
  return id;
}

// A script and a library define their own: the kernel is not searched for what they lack, nor is
// what a library has defined in the way of the script.
std::optional<TypeId> TypeNames::declared_struct(types::Tag tag, const std::string& name) const {
  const std::optional<TypeId> known = world_.types.find_declared(tag, name);
  if (!known || scope_.in_library) return known;
  const types::ScriptNames hidden(world_.types, true);
  if (world_.types.find_declared(tag, name) == known) return std::nullopt;
  return known;
}

std::optional<TypeId> TypeNames::defined_struct(const TypeSpec& spec) {
  const types::Tag tag = struct_tag(spec);
  if (!spec.module.empty()) {
    error("D_DECL_SCOPE", spec.span,
          fmt::format("a type of module {} cannot be defined here", spec.module));
    return std::nullopt;
  }
  const std::optional<TypeId> known = declared_struct(tag, spec.tag_name);
  const bool completes = known && world_.types.at(*known).kind == types::Kind::kForward;
  const TypeId id = completes ? *known : forward(spec);
  const bool is_defined = known && !completes && is_defined_here(*known);
  if (is_defined ||
      (!completes && !spec.tag_name.empty() && !world_.types.declare(tag, spec.tag_name, id))) {
    error("D_DECL_TYPERED", spec.span,
          fmt::format("type redeclared: {} {}", tag == types::Tag::kUnion ? "union" : "struct",
                      spec.tag_name));
    return std::nullopt;
  }
  const bool is_union = tag == types::Tag::kUnion;
  types::Type type;
  type.kind = is_union ? types::Kind::kUnion : types::Kind::kStruct;
  type.name = spec.tag_name;
  if (!struct_members(*spec.body, type, is_union)) {
    set_unknown(tag, spec.tag_name);
    return std::nullopt;
  }
  world_.types.define(id, type);
  set_defined(id);
  return id;
}

void TypeNames::set_unknown(types::Tag tag, const std::string& name) {
  if (!name.empty() && !scope_.in_library) {  // a library that is wrong is left out
    unknown_[static_cast<std::size_t>(tag)].insert(name);
  }
}

// Whether what would have defined the type is wrong, which has been reported.
bool TypeNames::is_unknown(types::Tag tag, const TypeSpec& spec, const std::string& name) const {
  return spec.module.empty() && unknown_[static_cast<std::size_t>(tag)].contains(name);
}

void TypeNames::set_defined(TypeId id) {
  defined_.insert(id);
  if (scope_.in_library) {
    of_libraries_.insert(id);
  }
}

// Whether this program, or this library, has defined it: a program may define what a library does.
bool TypeNames::is_defined_here(TypeId id) const {
  return defined_.contains(id) && (scope_.in_library || !of_libraries_.contains(id));
}

bool TypeNames::struct_members(const StructDecl& body, types::Type& out, bool is_union) {
  StructLayout layout(context_, out, is_union, body.attributes);
  for (const StructDecl::Field& field : body.fields) {
    if (!struct_field(field, layout)) {
      return false;
    }
  }
  layout.finish();
  return true;
}

bool TypeNames::struct_field(const StructDecl::Field& field, StructLayout& layout) {
  const std::optional<TypeId> base = base_type(field.spec);
  if (!base) {
    return false;
  }
  if (!field.declarators.empty()) {
    for (const Declarator& declarator : field.declarators) {
      const std::optional<TypeId> type = apply(*base, declarator, nullptr, nullptr);
      if (!type || !layout.add(field, declarator, *type)) {
        return false;
      }
    }
    return true;
  }
  if (field.spec.tag == TypeSpec::Tag::kNone) {
    error("D_DECL_MNAME", field.spec.span, "a member must have a name");
    return false;
  }
  // With a tag it declares a type and no member.
  return field.spec.body == nullptr || !field.spec.tag_name.empty() ||
         layout.add(field, Declarator(), *base);
}

std::optional<TypeId> TypeNames::enum_type(const TypeSpec& spec) {
  if (spec.enum_body == nullptr && is_unknown(types::Tag::kEnum, spec, spec.tag_name)) {
    return std::nullopt;
  }
  if (spec.enum_body == nullptr) {
    auto found = world_.types.find(types::Tag::kEnum, spec.tag_name, spec.module);
    if (!found && !spec.module.empty()) {
      unknown_types_.report(spec, types::Tag::kEnum, spec.tag_name);
      return std::nullopt;
    }
    bool is_ambiguous = false;
    if (!found) {
      found = unknown_types_.of_some_module(spec, types::Tag::kEnum, is_ambiguous);
    }
    if (!found && !is_ambiguous) {
      error("D_DECL_INCOMPLETE", spec.span,
            fmt::format("incomplete struct/union/enum enum {}", spec.tag_name));
    }
    return found;
  }
  types::Type type;
  type.kind = types::Kind::kEnum;
  type.name = spec.tag_name;
  if (spec.enum_body->is_packed) {
    error("D_UNKNOWN", spec.span, "packed enumerations are not supported");
    return std::nullopt;
  }
  const auto redeclared = [&] {
    error("D_DECL_TYPERED", spec.span, fmt::format("type redeclared: enum {}", spec.tag_name));
    return std::nullopt;
  };
  const auto known = world_.types.find_declared(types::Tag::kEnum, spec.tag_name);
  if (known && is_defined_here(*known)) {
    return redeclared();
  }
  if (!enumerations_.define(*spec.enum_body, type)) {
    set_unknown(types::Tag::kEnum, spec.tag_name);
    return std::nullopt;
  }
  const TypeId id = world_.types.add(type);
  if (!spec.tag_name.empty()) {
    enumerations_.belong(*spec.enum_body, id);
  }
  if (!spec.tag_name.empty() && !world_.types.declare(types::Tag::kEnum, spec.tag_name, id)) {
    return redeclared();
  }
  set_defined(id);
  return id;
}

std::optional<TypeId> TypeNames::apply_array(TypeId element, const Declarator::Part& part,
                                             Span span) {
  if (rules_.is_void(element) || rules_.is_dynamic(element)) {
    error("D_DECL_VOIDOBJ", span, fmt::format("invalid array of {}", rules_.name(element)));
    return std::nullopt;
  }
  if (rules_.is_string(element)) {
    error("D_DECL_VOIDOBJ", span, "invalid array of string").hint =
        "an associative array can hold strings: string name[int]";
    return std::nullopt;
  }
  if (rules_.kind(element) == types::Kind::kForward) {
    error("D_DECL_INCOMPLETE", span,
          fmt::format("incomplete struct/union/enum {}: array", rules_.name(element)));
    return std::nullopt;
  }
  if (part.count == nullptr) {
    return world_.types.array_of(element, 0);
  }
  expr(part.count);
  if (bad(part.count)) {
    return std::nullopt;
  }
  if (!part.count->is_constant || !rules_.is_integer(part.count->type)) {
    error("D_DECL_ARRSUB", part.count->span,
          "positive integral constant expression or tuple signature expected as array declaration "
          "subscript");
    return std::nullopt;
  }
  constexpr std::uint64_t kMaxArrayBytes = std::uint64_t{1} << 28;
  const std::uint64_t count = part.count->int_value;
  if (rules_.is_signed(part.count->type) && static_cast<std::int64_t>(count) < 0) {
    error("D_DECL_ARRSUB", part.count->span,
          fmt::format("an array cannot have {} elements", static_cast<std::int64_t>(count)));
    return std::nullopt;
  }
  if (count > kMaxArrayBytes ||
      count * std::max<std::uint64_t>(1, rules_.size(element)) > kMaxArrayBytes) {
    error("D_DECL_ARRBIG", part.count->span, fmt::format("array is too large: {} elements", count));
    return std::nullopt;
  }
  return world_.types.array_of(element, static_cast<std::uint32_t>(count));
}

std::optional<TypeId> TypeNames::function_type(TypeId result, const Declarator::Part& part) {
  types::Type function;
  function.kind = types::Kind::kFunction;
  function.target = result;
  function.is_variadic = part.variadic;
  for (std::size_t i = 0; i < part.types.size(); ++i) {
    const std::optional<TypeId> parameter = parameter_type(part, i);
    if (!parameter) {
      return std::nullopt;
    }
    if (rules_.is_void(*parameter)) {
      break;  // (void): no parameters
    }
    function.members.push_back({i < part.names.size() ? part.names[i] : "", *parameter, 0, 0});
  }
  return world_.types.add(function);
}

// The parts stand from the outside in, so the innermost is applied first.
std::optional<TypeId> TypeNames::apply(TypeId base, const Declarator& declarator,
                                       std::vector<TypeId>* keys, bool* is_array) {
  TypeId type = base;
  const bool is_userland = world_.types.at(base).is_userland || rules_.at(base).is_userland;
  const Span span = declarator.name_span;
  for (auto part = declarator.parts.rbegin(); part != declarator.parts.rend(); ++part) {
    switch (part->kind) {
      case Declarator::Part::Kind::kPointer:
        // A pointer to user memory to which another pointer points is itself in user memory.
        type = world_.types.pointer_to(is_userland && type != base ? world_.types.userland(type)
                                                                   : type);
        if (part->is_const) {
          type = world_.types.constant(type);
        }
        break;
      case Declarator::Part::Kind::kArray: {
        const std::optional<TypeId> array = apply_array(type, *part, span);
        if (!array) {
          return std::nullopt;
        }
        type = *array;
        break;
      }
      case Declarator::Part::Kind::kAssoc: {
        if (keys == nullptr || part + 1 != declarator.parts.rend()) {
          error("D_DECL_ARRSUB", span, "an associative array may be a variable only");
          return std::nullopt;
        }
        for (std::size_t i = 0; i < part->types.size(); ++i) {
          const std::optional<TypeId> key_type = parameter_type(*part, i);
          if (!key_type) {
            return std::nullopt;
          }
          keys->push_back(*key_type);
        }
        *is_array = true;
        break;
      }
      case Declarator::Part::Kind::kFunction: {
        const std::optional<TypeId> function = function_type(type, *part);
        if (!function) {
          return std::nullopt;
        }
        type = *function;
        break;
      }
    }
  }
  return type;
}

// Its type; nothing when it may not be one (reported).
std::optional<TypeId> TypeNames::parameter_type(const Declarator::Part& part, std::size_t index) {
  if (!prototypes_.is_formed(part, index)) {
    return std::nullopt;
  }
  const std::optional<TypeId> type = type_of(*part.types[index]);
  return type && prototypes_.may_be(part, index, *type) ? type : std::nullopt;
}

}  // namespace dt::d
