// `a.b` and `a->b`: the member is looked up in the structure and in its anonymous members. A
// bit-field has no address, and offsetof() of one is refused, as in C. If the object is a
// translated one (args[0]->pr_pid), the member is an expression of the translator, which takes its
// place here.

#include "d/check/members.h"

#include <fmt/core.h>

#include "d/check/fold.h"
#include "d/check/translators.h"
#include "d/check/type_names.h"
#include "d/meaning/foreign_words.h"
#include "d/meaning/function_table.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"
#include "support/nearest.h"

namespace dt::d {

namespace {

bool is_copyin(const Expr* e) {
  return e->kind == ExprKind::kCall && e->symbol == Symbol::kSubroutine &&
         static_cast<Fn>(e->index) == Fn::kCopyin;
}

}  // namespace

void Members::cast(Expr* e) {
  const std::optional<TypeId> to = types_.type_of(*e->type_name);
  Expr* operand = e->args[0];
  expr(operand);
  if (!to || bad(operand)) {
    return;
  }
  TypeId target = *to;
  if (rules_.is_aggregate(target) && same_object(target, operand->type, rules_)) {
    const Span span = e->span;
    *e = *operand;
    e->span = span;
    return;
  }
  const bool to_string = rules_.is_string(target);
  const bool is_address =
      rules_.is_string(operand->type) && rules_.kind(target) == types::Kind::kPointer;
  if (is_address) {
    take_address(operand);
  }
  const bool ok = rules_.is_void(target) || is_address ||
                  (rules_.is_scalar(target) && rules_.kind(target) != types::Kind::kArray &&
                   rules_.is_scalar(operand->type)) ||
                  (to_string && (is_string_operand(operand) || rules_.is_pointer(operand->type) ||
                                 rules_.is_integer(operand->type)));
  if (!ok) {
    Diagnostic& d = error("D_CAST_INVAL", e->span,
                          fmt::format("invalid cast expression: \"{}\" to \"{}\"",
                                      type_name(operand), rules_.name(target)));
    if (rules_.is_aggregate(target) && rules_.is_integer(operand->type)) {
      d.hint = support::did_you_mean(fmt::format("({} *)", rules_.name(target)));
    }
    return;
  }
  // A copy of the process's memory that is to be a structure of the process: such a structure is
  // read from the process anyway, and the copy is not there. (A size that is computed stays, with
  // all that it changes.)
  if (rules_.is_userland_pointer(target) && is_copyin(operand) && operand->args[1]->is_constant) {
    e->args[0] = operand->args[0];
    e->type = target;
    return;
  }
  // What came from user memory stays there whatever its type is called.
  if (rules_.is_pointer(target) && rules_.is_userland_pointer(operand->type)) {
    target = rules_.to_userland(target);
  }
  e->type = target;
  if (operand->is_constant && rules_.is_scalar(target)) {
    set_constant(e, operand->int_value, target, rules_);
  }
}

void Members::stringof(Expr* e) {
  Expr* operand = e->args[0];
  expr(operand);
  if (bad(operand)) {
    return;
  }
  if (!rules_.is_scalar(operand->type) && !is_string_operand(operand)) {
    error("D_STRINGOF_TYPE", e->span,
          fmt::format("cannot apply stringof to a value of type \"{}\"", type_name(operand)));
    return;
  }
  e->type = world_.types.string_type();
}

void Members::size_of(Expr* e) {
  TypeId type;
  if (e->kind == ExprKind::kSizeofType) {
    const std::optional<TypeId> named = types_.type_of(*e->type_name);
    if (!named) {
      return;
    }
    type = *named;
  } else {
    Expr* operand = e->args[0];
    expr(operand, {.translation = true});
    if (bad(operand)) {
      return;
    }
    type = operand->type;
    if (operand->kind == ExprKind::kMember && !bad(operand->args[0])) {
      const TypeId outer =
          operand->arrow ? rules_.pointee(operand->args[0]->type) : operand->args[0]->type;
      const auto found = world_.types.member(outer, operand->text);
      if (found && found->bit_size != 0) {
        error("D_SIZEOF_BITFIELD", e->span, "cannot apply sizeof to a bit-field");
        return;
      }
    }
  }
  std::uint64_t size =
      rules_.is_string(type) ? world_.string_size : std::uint64_t{rules_.size(type)};
  if (e->kind == ExprKind::kSizeofExpr && e->args[0]->kind == ExprKind::kString) {
    size = e->args[0]->text.size() + 1;
  }
  // A function of the kernel, whose value is its address.
  const bool is_function = e->kind == ExprKind::kSizeofExpr && e->args[0]->is_constant &&
                           e->args[0]->symbol == Symbol::kKernelSymbol;
  if (rules_.is_dynamic(type) || size == 0 || is_function) {
    error("D_SIZEOF_TYPE", e->span,
          fmt::format("cannot apply sizeof to an operand of type \"{}\"",
                      rules_.name(is_function ? rules_.pointee(type) : type)));
    return;
  }
  set_constant(e, size, world_.types.integer(8, false), rules_);
}

void Members::offset_of(Expr* e) {
  const std::optional<TypeId> type = types_.type_of(*e->type_name);
  if (!type) {
    return;
  }
  if (!rules_.is_aggregate(*type) || rules_.kind(*type) == types::Kind::kForward) {
    error("D_OFFSETOF_TYPE", e->type_name->span,
          fmt::format("offsetof operand must be of struct or union type, not \"{}\"",
                      rules_.name(*type)));
    return;
  }
  const auto found = world_.types.member(*type, e->text);
  if (!found) {
    Diagnostic& d =
        error_once("D_UNKNOWN", name_span(e),
                   fmt::format("failed to determine offset of {}: it is not a member of {}",
                               e->text, rules_.name(*type)));
    const std::string near = support::nearest(e->text, world_.types.member_names(*type));
    d.hint = support::did_you_mean(near);
    return;
  }
  if (found->bit_size != 0) {
    error("D_OFFSETOF_BITFIELD", name_span(e),
          fmt::format("cannot take the offset of bit-field {}", e->text));
    return;
  }
  set_constant(e, found->bit_offset / 8, world_.types.integer(8, false), rules_);
}

// The struct or union that has the member, and whether it is in user memory; nothing when there is
// none (reported).
std::optional<Members::Outer> Members::outer_of(const Expr* e) {
  const Expr* object = e->args[0];
  Outer outer = {object->type, object->in_user};
  if (e->arrow) {
    if (rules_.kind(object->type) != types::Kind::kPointer &&
        rules_.kind(object->type) != types::Kind::kArray) {
      const bool sou = rules_.is_aggregate(object->type);
      Diagnostic& d = error(
          "D_OP_PTR", object->span,
          fmt::format("operator -> must be applied to a pointer, not \"{}\"", type_name(object)));
      if (sou) {
        d.hint = support::did_you_mean(".");
      } else if (object->kind == ExprKind::kIdent && object->text.size() == 4 &&
                 object->text.starts_with("arg")) {
        d.hint = fmt::format(
            "args[{0}] has a type, where the probe gives one; otherwise give {1} "
            "one, as in ((struct task_struct *){1})->pid",
            object->text.back(), object->text);
      }
      return std::nullopt;
    }
    outer = {rules_.pointee(object->type), rules_.is_userland_pointer(object->type)};
  }
  if (!rules_.is_aggregate(outer.type)) {
    Diagnostic& d = error(
        "D_OP_SOU", object->span,
        fmt::format("operator {} cannot be applied to \"{}\"; must be {}a struct or union",
                    e->arrow ? "->" : ".", type_name(object), e->arrow ? "a pointer to " : ""));
    if (!e->arrow && rules_.kind(outer.type) == types::Kind::kPointer) {
      d.hint = support::did_you_mean("->");
    }
    return std::nullopt;
  }
  if (rules_.kind(outer.type) == types::Kind::kForward) {
    error_once(
        "D_OP_INCOMPLETE", object->span,
        fmt::format("operator {} cannot be applied to a forward declaration: no {} definition "
                    "is available",
                    e->arrow ? "->" : ".", rules_.name(outer.type)));
    return std::nullopt;
  }
  return outer;
}

void Members::member(Expr* e) {
  Expr* object = e->args[0];
  expr(object, {.translation = true});
  if (bad(object)) {
    return;
  }
  const std::optional<Outer> outer = outer_of(e);
  if (!outer) {
    return;
  }
  const auto found = world_.types.member(outer->type, e->text);
  if (!found) {
    const std::string name = rules_.name(outer->type);
    Diagnostic& d = error_once("D_TYPE_MEMBER", name_span(e),
                               fmt::format("{} is not a member of {}", e->text, name));
    d.hint = name == "struct task_struct" ? foreign_member(e->text) : "";
    if (d.hint.empty()) {
      d.hint =
          support::did_you_mean(support::nearest(e->text, world_.types.member_names(outer->type)));
    }
    return;
  }
  if (object->translation != 0) {
    translators_.member(e);
    return;
  }
  memory_lvalue(e, found->type, outer->is_user);
  const Home home = home_of(e, rules_);
  e->is_lvalue = home != Home::kValue;
  if (found->bit_size != 0 && home != Home::kMemory &&
      !place_bit_field(*found, rules_.ir_type(found->type).size, rules_.size(outer->type))) {
    error(
        "D_UNKNOWN", name_span(e),
        fmt::format("bit-field {} of a packed structure in a variable is not supported", e->text));
    e->type = TypeId{};
  }
}

}  // namespace dt::d
