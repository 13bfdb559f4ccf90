#include "d/lower/addresses.h"

#include "d/lower/memory.h"
#include "d/lower/objects.h"
#include "d/lower/parameters.h"
#include "d/lower/scratch_memory.h"
#include "d/lower/variables.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "ir/builder.h"

namespace dt::d::lowering {

using ir::ValueId;

ValueId Addresses::of(const Expr* e) {
  if (is_expanded(e)) {
    return of(parameters_.unfold(e));
  }
  const Home home = home_of(e, rules_);
  const bool is_whole = is_object(e->type, rules_);
  if (home == Home::kVariable && (is_whole || whole_of(e, rules_) != e)) {
    return in_variable(e);
  }
  return home == Home::kValue && is_whole ? scratch_.copy_of(e) : memory_.address(e);
}

// Of a whole variable, or of a part of one.
ValueId Addresses::in_variable(const Expr* e) {
  const Objects::Object object = objects_.object(e);
  b_->at(e->span);
  ir::Inst inst;
  inst.op = ir::Op::kAddressOf;
  inst.type = ir::Type::u64();
  inst.index = object.whole->index;
  inst.imm = object.fixed;
  inst.args = object.keys;
  const ValueId start = b_->add(std::move(inst));
  return object.moved == ir::kNone ? start
                                   : b_->binary(ir::Op::kAdd, start, object.moved, ir::Type::u64());
}

ValueId Addresses::of_text(const Expr* e) {
  if (is_expanded(e)) {
    return of_text(parameters_.unfold(e));
  }
  if (!rules_.is_string(e->type)) {  // what it is made of
    return value(e);
  }
  switch (e->kind) {
    case ExprKind::kStringof:
    case ExprKind::kCast:
      return of_text(e->args[0]);
    case ExprKind::kComma:
      effect(e->args[0]);
      return of_text(e->args[1]);
    case ExprKind::kAssign:
      effect(e);
      return of_text(e->args[0]);
    default:
      break;
  }
  switch (home_of(e, rules_)) {
    case Home::kVariable:
      return in_variable(e);
    case Home::kMemory:
      return memory_.address(e);
    case Home::kValue:
      break;
  }
  return scratch_.copy_of_text(e);
}

}  // namespace dt::d::lowering
