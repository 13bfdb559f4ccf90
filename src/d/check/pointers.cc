// Adding to a pointer counts in elements, as in C, and the difference of two pointers is divided by
// the size. An array decays to a pointer to its first element wherever it is not the operand of
// sizeof or &.
//
// Where memory is, in the kernel or in the traced process, is part of a pointer's type (userland):
// it decides how a load reads it.

#include "d/check/pointers.h"

#include <fmt/core.h>

#include "d/check/fold.h"
#include "d/check/objects.h"
#include "d/check/symbol.h"
#include "d/check/wording.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::d {

// The usual idioms of C are translated to an index, which is checked: *a and *(a + n) of an array
// in a variable, or of a string, are a[0] and a[n].
bool Pointers::dereferences_element(Expr* e) {
  const auto is_value = [this](const Expr* array) {
    return rules_.is_string(array->type) || (rules_.kind(array->type) == types::Kind::kArray &&
                                             home_of(array, rules_) != Home::kMemory);
  };
  Expr* operand = e->args[0];
  Expr* array = operand;
  Expr* at = nullptr;
  if (operand->kind == ExprKind::kBinary && operand->op == Op::kAdd) {
    const std::size_t side = is_value(operand->args[0]) ? 0 : 1;
    array = operand->args[side];
    at = operand->args[1 - side];
  }
  if (!is_value(array)) {
    return false;
  }
  if (at == nullptr) {
    at = arena_.expr();
    at->span = operand->span;
    set_constant(at, 0, rules_.int_type(), rules_);
  }
  e->kind = ExprKind::kIndex;
  e->args = {array, at};
  if (rules_.is_string(array->type)) {
    take_address(array);
    memory_lvalue(e, rules_.char_type(), false);
  } else if (objects_.within_bounds(array, at)) {
    memory_lvalue(e, rules_.pointee(array->type), false);
  }
  return true;
}

void Pointers::dereference(Expr* e) {
  if (dereferences_element(e)) {
    return;
  }
  const Expr* operand = e->args[0];
  if (!rules_.is_pointer(operand->type)) {
    error("D_DEREF_NONPTR", operand->span,
          fmt::format("cannot dereference non-pointer type \"{}\"", type_name(operand)));
    return;
  }
  if (rules_.kind(operand->type) == types::Kind::kFunction) {
    error("D_DEREF_FUNC", operand->span, "cannot dereference pointer to function");
    return;
  }
  const TypeId target = rules_.pointee(operand->type);
  // A translated object is not memory: only members can be taken of it, each by its expression.
  if (operand->translation != 0) {
    e->type = target;
    e->translation = operand->translation;
    e->in_user = operand->in_user;
    return;
  }
  if (rules_.is_void(target)) {
    error("D_DEREF_VOID", operand->span, "cannot dereference pointer to void");
    return;
  }
  if (rules_.kind(target) == types::Kind::kFunction) {
    error("D_DEREF_FUNC", operand->span, "cannot dereference pointer to function");
    return;
  }
  memory_lvalue(e, target, rules_.is_userland_pointer(operand->type));
}

void Pointers::address_of(Expr* e) {
  Expr* operand = e->args[0];
  if (operand->kind == ExprKind::kScoped) {
    kernel_symbols_.resolve(operand, true);
  } else {
    expr(operand);
  }
  if (bad(operand)) {
    return;
  }
  if (operand->symbol == Symbol::kKernelSymbol && operand->is_constant) {
    set_constant(e, operand->int_value, operand->type, rules_);  // & of a function is the function
    return;
  }
  if (operand->symbol == Symbol::kGlobal || operand->symbol == Symbol::kThread ||
      operand->symbol == Symbol::kClause || operand->symbol == Symbol::kBuiltin ||
      operand->kind == ExprKind::kAggregation) {
    error("D_ADDROF_VAR", operand->span, "cannot take address of a variable");
    return;
  }
  if (operand->kind == ExprKind::kMember) {
    const Expr* object = operand->args[0];
    const TypeId outer = operand->arrow ? rules_.pointee(object->type) : object->type;
    const auto found = world_.types.member(outer, operand->text);
    if (found && found->bit_size != 0) {
      error("D_ADDROF_BITFIELD", operand->span,
            fmt::format("cannot take address of bit-field \"{}\"", operand->text));
      return;
    }
  }
  if (!operand->is_lvalue) {
    error("D_ADDROF_LVAL", operand->span, "unacceptable operand for unary & operator");
    return;
  }
  const bool user = operand->in_user;
  e->type = world_.types.pointer_to(user ? world_.types.userland(operand->type) : operand->type);
}

bool Pointers::arithmetic(Expr* e) {
  Expr* left = e->args[0];
  Expr* right = e->args[1];
  if (e->op != Op::kAdd && e->op != Op::kSub) {
    return false;
  }
  // A string is the address of its characters here.
  for (const Expr* text : {left, right}) {
    const Expr* offset = text == left ? right : left;
    if (rules_.is_string(text->type) && rules_.is_integer(offset->type) &&
        (text == left || e->op == Op::kAdd)) {
      take_address(text);
      e->type = rules_.text_pointer();
      return true;
    }
  }
  const bool left_pointer = rules_.is_pointer(left->type);
  const bool right_pointer = rules_.is_pointer(right->type);
  if (!left_pointer && !right_pointer) {
    return false;
  }
  if (left_pointer && right_pointer) {
    if (e->op != Op::kSub || !rules_.pointers_compatible(left->type, right->type)) {
      error("D_OP_INCOMPAT", e->span,
            fmt::format("operands have incompatible types: \"{}\" {} \"{}\"", type_name(left),
                        op_text(e->op), type_name(right)));
      return true;
    }
    if (!known_step(e, left)) {
      return true;
    }
    // ptrdiff_t of C.
    e->type = rules_.int64_type();
    return true;
  }
  const Expr* pointer = left_pointer ? left : right;
  const Expr* offset = left_pointer ? right : left;
  if (!rules_.is_integer(offset->type) || (e->op == Op::kSub && right_pointer)) {
    error("D_OP_INCOMPAT", e->span,
          fmt::format("operands have incompatible types: \"{}\" {} \"{}\"", type_name(left),
                      op_text(e->op), type_name(right)));
    return true;
  }
  if (!known_step(e, pointer)) {
    return true;
  }
  e->type = rules_.decay(pointer->type);
  return true;
}

// Whether a pointer can be moved: what it leads to has a size. GNU C counts bytes for void *; D
// refuses, because a wrong step would be a wrong address and no message.
bool Pointers::known_step(const Expr* e, const Expr* pointer) {
  if (!rules_.is_pointer(pointer->type)) {
    return true;
  }
  const TypeId target = rules_.pointee(pointer->type);
  if (!rules_.is_void(target) && rules_.kind(target) != types::Kind::kFunction &&
      rules_.kind(pointer->type) != types::Kind::kFunction) {
    if (rules_.size(target) != 0) {
      return true;
    }
    error("D_OP_INCOMPLETE", pointer->span,
          fmt::format("operator {} cannot be applied to a pointer to incomplete type \"{}\"",
                      e->kind == ExprKind::kAssign ? write_text(e) : op_text(e->op),
                      rules_.name(target)));
    return false;
  }
  const std::string hint = rules_.is_void(target) ? "a cast to (char *) counts bytes" : "";
  if (e->args.size() == 2) {
    error("D_OP_INCOMPAT", e->span,
          fmt::format("operands have incompatible types: \"{}\" {} \"{}\"", type_name(e->args[0]),
                      e->kind == ExprKind::kBinary ? op_text(e->op) : write_text(e),
                      type_name(e->args[1])))
        .hint = hint;
    return false;
  }
  error("D_OP_VFPTR", pointer->span,
        fmt::format("operator {} requires an operand of known size", op_text(e->op)))
      .hint = hint;
  return false;
}

}  // namespace dt::d
