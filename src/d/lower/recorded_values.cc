#include "d/lower/recorded_values.h"

#include "d/meaning/function_table.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "ir/builder.h"

namespace dt::d::lowering {

namespace {

// jstack() is ustack() with room for names: its second argument is then not 0.
ir::Op stack_op(const Expr* call) {
  const Fn fn = static_cast<Fn>(call->index);
  if (fn == Fn::kStack) {
    return ir::Op::kStack;
  }
  const bool has_room = call->args.size() < 2 ? fn == Fn::kJstack : call->args[1]->int_value != 0;
  return has_room ? ir::Op::kJstack : ir::Op::kUstack;
}

}  // namespace

ValueId RecordedValues::bytes_of(const Expr* call) {
  if (rules_.kind(call->type) == types::Kind::kStack) {
    b_->at(call->span);
    return operation(stack_op(call), bytes_type(call->type), {});
  }
  const ValueId at = value(call->args[0]);
  b_->at(call->span);
  return b_->unary(ir::Op::kUserAddr, at, bytes_type(call->type));
}

}  // namespace dt::d::lowering
