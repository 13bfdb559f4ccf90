// Types as written: specifiers, structs, enumerations and declarators.

#include <algorithm>

#include "d/check/checker.h"

namespace dt::d {

using types::TypeId;

std::optional<TypeId> Checker::type_of(const TypeName& name) {
  const std::optional<TypeId> base = base_type(name.spec);
  if (!base) {
    return std::nullopt;
  }
  return apply(*base, name.declarator, nullptr, nullptr);
}

std::optional<TypeId> Checker::base_type(const TypeSpec& spec) {
  std::optional<TypeId> type;
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
  return type;
}

std::optional<TypeId> Checker::basic_type(const TypeSpec& spec) {
  const std::string& base = spec.base;
  const bool words = spec.is_signed || spec.is_unsigned || spec.is_short || spec.longs > 0;
  if (spec.is_signed && spec.is_unsigned) {
    error("D_DECL_COMBO", spec.span, "invalid type combination: signed and unsigned");
    return std::nullopt;
  }
  if (base.empty() || base == "int") {
    if (spec.is_short && spec.longs > 0) {
      error("D_DECL_COMBO", spec.span, "invalid type combination: short and long");
      return std::nullopt;
    }
    const std::uint32_t size = spec.is_short ? 2 : spec.longs > 0 ? 8 : 4;
    return world_.types.integer(size, !spec.is_unsigned);
  }
  if (base == "char") {
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
  if (base == "void" && words) {
    error("D_DECL_VOIDATTR", spec.span,
          "invalid type declaration: attributes may not be used with void");
    return std::nullopt;
  }
  if (spec.is_signed || spec.is_unsigned) {
    error("D_DECL_SIGNINT", spec.span,
          "invalid type declaration: signed and unsigned may only be used with integer type");
    return std::nullopt;
  }
  if (spec.is_short || (spec.longs > 0 && base != "double")) {
    error("D_DECL_LONGINT", spec.span,
          "invalid type declaration: short and long may only be used with integer type");
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
  if (!found) {
    unknown_type(spec, types::Tag::kNone, name);
  }
  return found;
}

std::optional<TypeId> Checker::struct_type(const TypeSpec& spec) {
  const bool is_union = spec.tag == TypeSpec::Tag::kUnion;
  const types::Tag tag = is_union ? types::Tag::kUnion : types::Tag::kStruct;
  const char* word = is_union ? "union" : "struct";
  std::optional<TypeId> known;
  if (in_library_ && spec.body != nullptr) {
    // A library defines its own: the kernel is not searched for what it lacks.
    known = world_.types.find_declared(tag, spec.tag_name);
  } else if (!spec.tag_name.empty()) {
    known = world_.types.find(tag, spec.tag_name, spec.module);
  }
  if (spec.body != nullptr && !spec.module.empty()) {
    error("D_DECL_SCOPE", spec.span,
          fmt::format("a type of module {} cannot be defined here", spec.module));
    return std::nullopt;
  }
  if (spec.body == nullptr) {
    if (!known && !spec.module.empty()) {
      unknown_type(spec, tag, spec.tag_name);
      return std::nullopt;
    }
    if (!known) {
      bool is_ambiguous = false;
      known = type_of_some_module(spec, tag, is_ambiguous);
      if (is_ambiguous) {
        return std::nullopt;
      }
    }
    if (known) {
      return known;
    }
    types::Type forward;  // a pointer to it may be used; its members may not
    forward.kind = types::Kind::kForward;
    forward.name = spec.tag_name;
    forward.is_union_forward = is_union;
    const TypeId id = world_.types.add(forward);
    if (!in_library_) {  // a library's mention of it tells a program nothing
      world_.types.declare(tag, spec.tag_name, id);
    }
    return id;
  }
  types::Type type;
  type.kind = is_union ? types::Kind::kUnion : types::Kind::kStruct;
  type.name = spec.tag_name;
  const bool completes = known && world_.types.at(*known).kind == types::Kind::kForward;
  if (known && !completes && defined_.contains(*known)) {
    error("D_DECL_TYPERED", spec.span, fmt::format("type redeclared: {} {}", word, spec.tag_name));
    return std::nullopt;
  }
  TypeId id;
  if (completes) {
    id = *known;
  } else {
    types::Type forward;
    forward.kind = types::Kind::kForward;
    forward.name = spec.tag_name;
    forward.is_union_forward = is_union;
    id = world_.types.add(forward);
    if (!spec.tag_name.empty() && !world_.types.declare(tag, spec.tag_name, id)) {
      error("D_DECL_TYPERED", spec.span,
            fmt::format("type redeclared: {} {}", word, spec.tag_name));
      return std::nullopt;
    }
  }
  if (!struct_members(*spec.body, type, is_union)) {
    return std::nullopt;
  }
  world_.types.define(id, type);
  defined_.insert(id);
  return id;
}

std::optional<TypeId> Checker::enum_type(const TypeSpec& spec) {
  if (spec.enum_body == nullptr) {
    auto found = world_.types.find(types::Tag::kEnum, spec.tag_name, spec.module);
    if (!found && !spec.module.empty()) {
      unknown_type(spec, types::Tag::kEnum, spec.tag_name);
      return std::nullopt;
    }
    bool is_ambiguous = false;
    if (!found) {
      found = type_of_some_module(spec, types::Tag::kEnum, is_ambiguous);
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
  if (!enumerators(*spec.enum_body, type)) {
    return std::nullopt;
  }
  const TypeId id = world_.types.add(type);
  if (!spec.tag_name.empty() && !world_.types.declare(types::Tag::kEnum, spec.tag_name, id)) {
    error("D_DECL_TYPERED", spec.span, fmt::format("type redeclared: enum {}", spec.tag_name));
    return std::nullopt;
  }
  return id;
}

// An int holds them all, as C has it. Headers of C are read with what its compilers
// add: the smallest of unsigned int, long and unsigned long.
bool Checker::enumerators(const EnumDecl& declared, types::Type& into) {
  into.size = 4;
  into.is_signed = true;
  bool is_any_negative = false;
  std::uint64_t next = 0;
  bool is_negative = false;  // next, as two's complement
  for (const EnumDecl::Item& item : declared.items) {
    if (item.value != nullptr) {
      expr(item.value);
      if (bad(item.value)) {
        return false;
      }
      if (!item.value->is_constant) {
        error("D_DECL_ENCONST", item.value->span,
              fmt::format("enumerator '{}' must be assigned to an integral constant expression",
                          item.name));
        return false;
      }
      next = item.value->int_value;
      const types::Type& type = rules_.at(item.value->type);
      if (type.size == 4 && is_included(item.span)) {
        // D computes in 64 bits; to C, 1 << 31 is an int.
        next = type.is_signed
                   ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(next)})
                   : static_cast<std::uint32_t>(next);
      }
      is_negative = type.is_signed && static_cast<std::int64_t>(next) < 0;
    }
    const std::optional<TypeId> type = enumerator_type(item, next, is_negative);
    if (!type) {
      return false;
    }
    if (find_builtin(item.name) ||
        !enumerators_.emplace(item.name, EnumeratorValue{next, *type}).second) {
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

std::optional<TypeId> Checker::enumerator_type(const EnumDecl::Item& item, std::uint64_t value,
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

std::optional<TypeId> Checker::apply_array(TypeId element, const Declarator::Part& part,
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

// The parts stand from the outside in, so the innermost is applied first.
std::optional<TypeId> Checker::apply(TypeId base, const Declarator& declarator,
                                     std::vector<TypeId>* keys, bool* is_array) {
  TypeId type = base;
  const bool is_userland = world_.types.at(base).is_userland || rules_.at(base).is_userland;
  const Span span = declarator.name_span;
  for (auto part = declarator.parts.rbegin(); part != declarator.parts.rend(); ++part) {
    switch (part->kind) {
      case Declarator::Part::Kind::kPointer:
        // What points to user memory, and is pointed to, lies there itself.
        type = world_.types.pointer_to(is_userland && type != base ? world_.types.userland(type)
                                                                   : type);
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
        types::Type function;
        function.kind = types::Kind::kFunction;
        function.target = type;
        function.is_variadic = part->variadic;
        for (std::size_t i = 0; i < part->types.size(); ++i) {
          const std::optional<TypeId> parameter = parameter_type(*part, i);
          if (!parameter) {
            return std::nullopt;
          }
          if (rules_.is_void(*parameter)) {
            break;  // (void): no parameters
          }
          function.members.push_back(
              {i < part->names.size() ? part->names[i] : "", *parameter, 0, 0});
        }
        type = world_.types.add(function);
        break;
      }
    }
  }
  return type;
}

}  // namespace dt::d
