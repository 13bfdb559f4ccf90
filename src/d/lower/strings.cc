// A string is a value of a fixed capacity, of which the text up to its NUL counts. What was read
// from memory may be longer than the capacity, and is cut.

#include "d/lower/strings.h"

#include "d/lower/address_kind.h"
#include "d/lower/assignments.h"
#include "d/lower/capacities.h"
#include "d/lower/conditions.h"
#include "d/lower/kernel_structures.h"
#include "d/lower/network_addresses.h"
#include "d/lower/objects.h"
#include "d/lower/parameters.h"
#include "d/lower/string_subroutines.h"
#include "d/lower/string_values.h"
#include "d/lower/variables.h"
#include "d/meaning/function_table.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "ir/builder.h"
#include "support/check.h"

namespace dt::d::lowering {

using ir::ValueId;

ValueId Strings::call(const Expr* e) {
  if (is_address_subroutine(e)) {
    return network_addresses_.text(e);
  }
  if (static_cast<Fn>(e->index) == Fn::kDPath) {
    const ValueId path = value(e->args[0]);
    b_->at(e->span);
    return b_->unary(ir::Op::kPath, path, ir::Type::string(capacities_.of(e)));
  }
  if (static_cast<Fn>(e->index) == Fn::kTaskPsargs) {
    return kernel_.process_arguments(e);
  }
  if (static_cast<Fn>(e->index) != Fn::kCopyinstr) {
    return string_subroutines_.string_call(e);
  }
  std::vector<ValueId> args = {value(e->args[0])};
  if (e->args.size() > 1 && !e->args[1]->is_constant) {
    args.push_back(value(e->args[1]));
  }
  b_->at(e->span);
  return operation(ir::Op::kCopyinstr, ir::Type::string(capacities_.of(e)), std::move(args));
}

ValueId Strings::lower(const Expr* e) {
  b_->at(e->span);
  if (is_null(e)) {
    return string_values_.literal("");
  }
  if (is_expanded(e)) {
    return string(parameters_.unfold(e));
  }
  if (is_array_value(e)) {
    return b_->unary(ir::Op::kToString, bytes_of(e), ir::Type::string(capacities_.of(e)));
  }
  if (!rules_.is_string(e->type)) {
    return string_values_.at(e, capacities_.of(e));
  }
  switch (e->kind) {
    case ExprKind::kString:
      return string_values_.literal(e->text);
    case ExprKind::kIdent:
    case ExprKind::kThreadVar:
    case ExprKind::kClauseVar:
    case ExprKind::kIndex:
      if (e->symbol == Symbol::kBuiltin) {
        return kernel_.builtin_string(e);
      }
      return e->symbol == Symbol::kParameter ? parameters_.at(e->slot) : variables_.load(e);
    case ExprKind::kAssign:
      return assignments_.assign(e, true);
    case ExprKind::kTernary:
      return conditions_.ternary(e, Conditions::Arms::kStrings);
    case ExprKind::kComma:
      effect(e->args[0]);
      return string(e->args[1]);
    case ExprKind::kStringof:
    case ExprKind::kCast: {
      const Expr* operand = e->args[0];
      return rules_.is_string(operand->type) || is_array_value(operand)
                 ? string(operand)
                 : string_values_.at(operand, capacities_.of(e));
    }
    case ExprKind::kCall:
      return call(e);
    case ExprKind::kMember:  // a string in memory: strsize bytes
    case ExprKind::kUnary: {
      if (home_of(e, rules_) != Home::kMemory) {
        return objects_.string_part(e);
      }
      const ValueId at = address(e);
      b_->at(e->span);
      return memory_string(at, capacities_.of(e), whose(e));
    }
    default:
      DT_UNREACHABLE("string expression of kind {}", static_cast<int>(e->kind));
  }
}

// Reading NULL as a string is a fault, while storing or printing it is not. Functions that can give
// NULL are strstr() and similar ones, where nothing is found, and strtok() at its end.
ValueId Strings::read(const Expr* e) {
  if (is_null(e)) {
    b_->at(e->span);
    not_null(b_->constant(0, ir::Type::s32()));
    return string_values_.literal("");
  }
  if (is_expanded(e)) {
    return read(parameters_.unfold(e));
  }
  const bool is_wrapped = e->kind == ExprKind::kStringof || e->kind == ExprKind::kCast;
  if (is_wrapped && rules_.is_string(e->args[0]->type)) {
    return read(e->args[0]);
  }
  if (const auto found = string_subroutines_.find(e)) {
    not_null(b_->binary(ir::Op::kLeS, b_->constant(0), found->position, ir::Type::s32()));
    return string_subroutines_.found_string(e, *found);
  }
  const ValueId text = string(e);
  const bool is_token = e->kind == ExprKind::kCall && e->symbol == Symbol::kSubroutine &&
                        static_cast<Fn>(e->index) == Fn::kStrtok;
  if (is_token) {  // which is never empty
    b_->at(e->span);
    const ValueId order =
        operation(ir::Op::kStrCmp, ir::Type::s32(), {text, string_values_.literal("")});
    not_null(b_->binary(ir::Op::kNe, order, b_->constant(0, ir::Type::s32()), ir::Type::s32()));
  }
  return text;
}

void Strings::not_null(ValueId is_there) {
  const ir::BlockId good = b_->block();
  const ir::BlockId bad = b_->block();
  b_->branch(is_there, good, bad);
  b_->enter(bad);
  b_->fault(record::Fault::kBadAddress);
  b_->ret();
  b_->enter(good);
}

}  // namespace dt::d::lowering
