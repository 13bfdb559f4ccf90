#include "d/lower/aggregations.h"

#include "d/lower/fields.h"
#include "d/syntax/ast.h"
#include "ir/builder.h"

namespace dt::d::lowering {

using ir::ValueId;
using record::FieldKind;
using record::FieldType;

ValueId Aggregations::key(const Expr* e, const FieldType& type) {
  switch (type.kind) {
    case FieldKind::kString:
      return string(e);
    case FieldKind::kProbeProv:
    case FieldKind::kProbeMod:
    case FieldKind::kProbeFunc:
    case FieldKind::kProbeName:
      return b_->builtin(ir::Builtin::kProbeId);
    case FieldKind::kStack:
    case FieldKind::kUstack:
      b_->at(e->span);
      return fields_.stack_bytes(e, type);
    case FieldKind::kSym:
    case FieldKind::kMod:
    case FieldKind::kErrnoName:
    case FieldKind::kSignalName:
    case FieldKind::kSyscallName:
    case FieldKind::kUserName:
    case FieldKind::kGroupName:
      return value(e->args[0]);
    case FieldKind::kUaddr:
    case FieldKind::kUsym:
    case FieldKind::kUmod: {
      const ValueId at = value(e->args[0]);
      b_->at(e->span);
      return b_->unary(ir::Op::kUserAddr, at, ir::Type::bytes(16));
    }
    case FieldKind::kInt:
    case FieldKind::kBytes:
      break;
  }
  return convert(value(e), ir::Type::integer(type.size, type.is_signed));
}

void Aggregations::lower(const Expr* e) {
  const Expr* target = e->args[0];
  const Expr* call = e->args[1];
  const record::AggLayout& layout = program_.aggregations[target->index];
  std::vector<ValueId> args;
  for (std::size_t i = 0; i < target->args.size(); ++i) {
    args.push_back(key(target->args[i], layout.keys[i].type));
  }
  std::size_t increment = call->args.size();
  switch (layout.func) {
    case record::AggFunc::kQuantize:
      increment = 1;
      break;
    case record::AggFunc::kLquantize:
      increment = 4;
      break;
    case record::AggFunc::kLlquantize:
      increment = 5;
      break;
    default:
      break;
  }
  if (!call->args.empty()) {
    args.push_back(value(call->args[0]));
  }
  if (increment < call->args.size()) {
    args.push_back(value(call->args[increment]));
  }
  b_->at(e->span);
  b_->aggregate(target->index, std::move(args));
}

}  // namespace dt::d::lowering
