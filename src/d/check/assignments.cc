// The first assignment to a name declares it, with the type of the value: D has no other
// declaration of most variables. So the order of clauses in the text matters: a name that is read
// before it was assigned is unknown. An assignment that changes the type later is refused.

#include "d/check/assignments.h"

#include <fmt/core.h>

#include "d/check/elements.h"
#include "d/check/names.h"
#include "d/check/objects.h"
#include "d/check/pointers.h"
#include "d/check/tables.h"
#include "d/check/translators.h"
#include "d/check/variable_scope.h"
#include "d/check/wording.h"
#include "d/meaning/function_table.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/ir.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::d {

using types::TypeId;

namespace {

bool is_variable_symbol(Symbol symbol) {
  return symbol == Symbol::kGlobal || symbol == Symbol::kThread || symbol == Symbol::kClause;
}

}  // namespace

// Reports and returns true when `target` cannot be written.
bool Assignments::not_modifiable(const Expr* e, const Expr* target) {
  if (is_variable_symbol(target->symbol) || variable_of(target, rules_) != nullptr) {
    return false;
  }
  if (target->symbol == Symbol::kBuiltin) {
    Diagnostic& d =
        error("D_OP_WRITE", target->span,
              fmt::format("built-in variable '{}' is read-only: operator {} cannot write to it",
                          target->text, write_text(e)));
    if (std::string_view(write_text(e)) == "=") d.hint = "== compares with it";
    return true;
  }
  if (rules_.kind(target->type) == types::Kind::kFunction) {
    return !single_value(e, target);
  }
  if (target->kind == ExprKind::kIndex && target->args[0]->kind == ExprKind::kIdent &&
      find_builtin(target->args[0]->text) && !target->is_lvalue &&
      !rules_.is_string(target->args[0]->type)) {
    error("D_OP_WRITE", target->span,
          fmt::format("built-in array '{}' is read-only: operator {} cannot write to it",
                      target->args[0]->text, write_text(e)));
    return true;
  }
  if (target->kind == ExprKind::kIndex && rules_.is_string(target->args[0]->type) &&
      !target->args[0]->is_lvalue) {
    error("D_OP_LVAL", target->span,
          fmt::format("operator {} cannot write to a string that is in no variable", write_text(e)))
        .hint = "assign the string to a variable, and change that";
    return true;
  }
  if (target->is_lvalue) {
    return not_storable(e, target);
  }
  if (target->translation != 0) {
    error("D_OP_WRITE", target->span,
          fmt::format("operator {} cannot write to a translated \"{}\"", write_text(e),
                      type_name(target)));
    return true;
  }
  if (target->kind == ExprKind::kIdent && target->symbol == Symbol::kInline &&
      target->inlined != nullptr) {
    error("D_OP_WRITE", target->span,
          fmt::format("operator {} cannot write to an inline", write_text(e)));
    return true;
  }
  error("D_OP_LVAL", target->span,
        fmt::format("operator {} requires modifiable lvalue as an operand", write_text(e)));
  return true;
}

// What a built-in variable leads to is never scratch memory. Reports and returns true if that is
// the target. Behind a cast, the address is any: writing to it is a fault of the firing.
bool Assignments::leads_from_builtin(const Expr* e, const Expr* target) {
  const Expr* start = target;
  while (start->kind == ExprKind::kMember ||
         (start->kind == ExprKind::kIndex && start->symbol == Symbol::kUnresolved) ||
         (start->kind == ExprKind::kUnary && start->op == Op::kDeref)) {
    start = start->args[0];
  }
  if (start->symbol != Symbol::kBuiltin) {
    return false;
  }
  error("D_OP_WRITE", target->span,
        fmt::format("operator {} cannot write to what '{}' leads to", write_text(e),
                    start->kind == ExprKind::kIndex ? "args[ ]" : start->text))
      .hint = "only scratch memory, as of alloca(), and variables can be written";
  return true;
}

// Memory may be written where it is scratch memory, which is seen when the
// clause runs.
bool Assignments::not_storable(const Expr* e, const Expr* target) {
  if (target->in_user) {
    error("D_OP_LVAL", target->span,
          fmt::format("operator {} cannot write to user memory", write_text(e)))
        .hint = "copyout() can";
    return true;
  }
  const Expr* root = target;
  while ((root->kind == ExprKind::kMember && !root->arrow) ||
         (root->kind == ExprKind::kIndex && root->symbol == Symbol::kUnresolved &&
          rules_.kind(root->args[0]->type) == types::Kind::kArray)) {
    root = root->args[0];
  }
  if (root->symbol == Symbol::kKernelSymbol) {
    error("D_OP_WRITE", target->span,
          fmt::format("operator {} cannot write to kernel memory", write_text(e)));
    return true;
  }
  const bool is_sized = rules_.is_string(target->type) || rules_.size(target->type) != 0;
  if (!is_sized || rules_.kind(target->type) == types::Kind::kFunction) {
    error("D_OP_LVAL", target->span,
          fmt::format("operator {} cannot write a value of type \"{}\" to memory", write_text(e),
                      type_name(target)))
        .hint = "bcopy() copies memory";
    return true;
  }
  if (target->kind == ExprKind::kMember) {
    const Expr* object = target->args[0];
    const TypeId outer = target->arrow ? rules_.pointee(object->type) : object->type;
    const auto found = world_.types.member(outer, target->text);
    if (found && found->bit_size != 0 &&
        !place_bit_field(*found, rules_.ir_type(target->type).size, rules_.size(outer))) {
      error("D_UNKNOWN", name_span(target),
            fmt::format("bit-field {} of a packed structure cannot be written to", target->text));
      return true;
    }
  }
  return false;
}

std::optional<TypeId> Assignments::type_from(const Expr* at, const Expr* from, Op op) {
  if (op != Op::kNone) {
    return rules_.int64_type();  // x += e on a new x, as x++
  }
  const TypeId type = from->type;
  if (rules_.is_char_array(type)) {
    return world_.types.string_type();
  }
  if (rules_.is_string(type) || rules_.is_integer(type) || rules_.is_dynamic(type)) {
    return type;
  }
  if (rules_.kind(type) == types::Kind::kArray && home_of(from, rules_) != Home::kMemory) {
    return type;  // a copy
  }
  if (rules_.is_pointer(type)) {
    return rules_.decay(type);
  }
  if (rules_.is_void(type)) {
    error("D_OP_INCOMPAT", at->span,
          fmt::format("a variable cannot hold a value of type \"{}\"", type_name(from)));
    return std::nullopt;
  }
  return objects_.may_hold(from->span, sources_.text(at->args[0]->span), type) ? std::optional(type)
                                                                               : std::nullopt;
}

bool Assignments::assignable(const Expr* e, TypeId to, const Expr* from) {
  bool ok = false;
  if (rules_.is_string(to)) {
    ok = is_string_operand(from) || is_null(from);
  } else if (is_object(to, rules_)) {
    ok = same_object(to, from->type, rules_) ||
         (rules_.is_char_array(to) && is_string_operand(from)) ||
         (is_null(from) && from->kind == ExprKind::kInt && frees(e->args[0]));
  } else if (rules_.is_dynamic(to)) {
    ok = same_object(to, from->type, rules_) || (is_null(from) && from->kind == ExprKind::kInt);
  } else if (rules_.is_scalar(to)) {
    const bool is_address = rules_.is_string(from->type) && rules_.takes_text(to);
    ok =
        is_address || (rules_.is_scalar(from->type) && rules_.pointers_compatible(to, from->type) &&
                       !(e->op == Op::kNone && needs_cast(to, from)));
    if (is_address) {
      take_address(from);
    }
  }
  if (!ok && rules_.kind(to) == types::Kind::kArray && rules_.is_integer(from->type)) {
    return single_value(e, e->args[0]);
  }
  if (!ok) {
    error("D_OP_INCOMPAT", e->span,
          fmt::format("operands have incompatible types: \"{}\" {} \"{}\"", rules_.name(to),
                      write_text(e), type_name(from)))
        .hint = rules_.is_scalar(from->type) && needs_cast(to, from) ? cast_hint(to)
                : rules_.is_dynamic(to) && rules_.is_dynamic(from->type)
                    ? "a variable holds stacks of one kind and length, or symbols of one kind"
                    : quotes_hint(from);
  }
  return ok;
}

// Whether assigning 0 sets all of it to zeros, and frees what can be freed.
bool Assignments::frees(const Expr* target) const { return variable_of(target, rules_) == target; }

// The first assignment makes the variable, and fixes its type and keys.
bool Assignments::create(Expr* target, TypeId type) {
  if (target->kind != ExprKind::kIndex) {
    tables_.define_variable(target->text, scope_of(target), type, target->span);
    return true;
  }
  const Expr* base = target->args[0];
  if (scope_of(base) == ir::Scope::kClause) {
    error("D_ARR_LOCAL", target->span,
          fmt::format("cannot declare local associative array: this->{}", base->text));
    return false;
  }
  if (!elements_.keys(target, 1)) {
    return false;
  }
  const std::uint32_t id = tables_.define_variable(base->text, scope_of(base), type, target->span);
  std::vector<TypeId> types;
  for (std::size_t i = 1; i < target->args.size(); ++i) {
    const Expr* key = target->args[i];
    types.push_back(is_string_operand(key) || rules_.is_char_array(key->type)
                        ? world_.types.string_type()
                    : is_object(key->type, rules_) ? key->type
                                                   : rules_.decay(key->type));
  }
  tables_.set_keys(id, std::move(types));
  return true;
}

// Checks what is assigned; whether it is something that a variable can be assigned.
bool Assignments::is_assigned(Expr* e) {
  const Expr* const target = e->args[0];
  Expr* const value = e->args[1];
  const FunctionInfo* const info = value->kind == ExprKind::kCall ? function(value->text) : nullptr;
  if (info != nullptr && info->kind == FunctionKind::kAggregating) {
    error("D_AGG_FUNC", value->span,
          fmt::format("{}( ) may be assigned to an aggregation only: did you mean @{}?",
                      value->text, target->text.empty() ? "a" : target->text));
    return false;
  }
  expr(value, {.translation = true});
  if (value->translation != 0) {
    if (rules_.is_aggregate(value->type)) {
      translators_.build(value);
    } else {
      translators_.refuse_whole(value);
    }
  }
  if (!bad(value) && value->symbol == Symbol::kAction && rules_.is_void(value->type)) {
    error("D_OP_ACT", value->span,
          fmt::format("action {}( ) may be used as a statement only: operator {} cannot take it",
                      value->text, write_text(e)));
    return false;
  }
  return !bad(value);
}

// Makes the variable that an assignment assigns to.
bool Assignments::make(Expr* e) {
  if (e->op == Op::kNone) {
    read_rest(e->args[1]);
  }
  const std::optional<TypeId> type = type_from(e, e->args[1], e->op);
  return type && create(e->args[0], *type);
}

void Assignments::assign(Expr* e) {
  Expr* target = e->args[0];
  const Expr* value = e->args[1];
  if (elements_.multidimensional(target)) {
    return;
  }
  const bool ok = is_assigned(e);
  const bool is_new = names_.is_new(target);
  if (!ok || (is_new && !make(e))) {
    if (is_new) {
      const Expr* const name = target->kind == ExprKind::kIndex ? target->args[0] : target;
      tables_.set_unknown(name->text, scope_of(name));
    }
    return;
  }
  expr(target, {.translation = true});
  if (bad(target) || not_modifiable(e, target)) {
    return;
  }
  if (e->op != Op::kNone && !compound(e)) {
    return;
  }
  if (!assignable(e, target->type, value) || leads_from_builtin(e, target)) {
    return;
  }
  e->type = target->type;
  if (rules_.is_string(target->type) && is_variable_symbol(target->symbol)) {
    tables_.add_flow({StringFlow::To::kVariable, target->index, 0, value});
  } else if (rules_.is_scalar(target->type) && is_variable_symbol(target->symbol) &&
             !value->is_constant) {
    tables_.add_address_flow({target->index, value});
  }
}

// Whether an operator that changes a part of what it is given may have this one.
bool Assignments::single_value(const Expr* e, const Expr* target) {
  const types::Kind kind = rules_.kind(target->type);
  if (kind != types::Kind::kArray && kind != types::Kind::kFunction) {
    return true;
  }
  error("D_OP_ARRFUN", target->span,
        fmt::format("operator {} may not be applied to an operand of type \"{}\"", write_text(e),
                    type_name(target)));
  return false;
}

// Whether `a op= b` makes sense; `a op b` must, and its result is stored in a.
bool Assignments::compound(Expr* e) {
  const Expr* target = e->args[0];
  const Expr* value = e->args[1];
  if (!single_value(e, target)) {
    return false;
  }
  if (rules_.is_pointer(target->type) && (e->op == Op::kAdd || e->op == Op::kSub) &&
      rules_.is_integer(value->type)) {
    return pointers_.known_step(e, target);
  }
  const bool integral =
      e->op != Op::kAdd && e->op != Op::kSub && e->op != Op::kMul && e->op != Op::kDiv;
  for (const Expr* operand : e->args) {
    const bool adds = e->op == Op::kAdd || e->op == Op::kSub;
    if (adds && !rules_.is_arithmetic(operand->type)) {
      error("D_OP_INCOMPAT", e->span,
            fmt::format("operands have incompatible types: \"{}\" {} \"{}\"", type_name(target),
                        write_text(e), type_name(value)));
      return false;
    }
    if (!rules_.is_integer(operand->type)) {
      error(integral ? "D_OP_INT" : "D_OP_ARITH", operand->span,
            fmt::format("operator {}= requires operands of {} type, not \"{}\"", op_text(e->op),
                        integral ? "integral" : "arithmetic", type_name(operand)))
          .hint = float_hint(operand);
      return false;
    }
  }
  if ((e->op == Op::kDiv || e->op == Op::kMod) && value->is_constant && value->int_value == 0) {
    error("D_DIV_ZERO", value->span, "expression contains division by zero");
    return false;
  }
  return true;
}

// x++ on a new x makes it an int64_t, which is what counters want.
void Assignments::increment(Expr* e, Expr* target) {
  if (names_.is_new(target) && !create(target, rules_.int64_type())) {
    return;
  }
  expr(target);
  if (bad(target) || not_modifiable(e, target)) {
    return;
  }
  if (!single_value(e, target) || !pointers_.known_step(e, target)) {
    return;
  }
  if (!rules_.is_scalar(target->type)) {
    error("D_OP_SCALAR", target->span,
          fmt::format("operator {} requires an operand of scalar type, not \"{}\"", op_text(e->op),
                      type_name(target)))
        .hint = float_hint(target);
    return;
  }
  if (!leads_from_builtin(e, target)) {
    e->type = target->type;
  }
}

}  // namespace dt::d
