#include "d/lower/aggregations.h"

#include "d/check/field_type.h"
#include "d/lower/memory_stores.h"
#include "d/lower/scratch_memory.h"
#include "d/syntax/ast.h"
#include "ir/builder.h"
#include "record/kernel_stack.h"
#include "record/own_symbol.h"

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
      return stack(e, type);
    case FieldKind::kSym:
    case FieldKind::kMod:
    case FieldKind::kErrnoName:
    case FieldKind::kSignalName:
    case FieldKind::kSyscallName:
    case FieldKind::kUserName:
    case FieldKind::kGroupName:
      return value(e);
    case FieldKind::kUaddr:
      return address(e);
    case FieldKind::kUsym:
    case FieldKind::kUmod:
    case FieldKind::kBytes:
      return bytes_of(e);
    case FieldKind::kInt:
      break;
  }
  return convert(value(e), ir::Type::integer(type.size, type.is_signed));
}

// A stack that is shorter than others of the key, or not of their kind, is made of its frames.
ValueId Aggregations::stack(const Expr* e, const FieldType& type) {
  const FieldType own = field_type(e, world_, rules_);
  const ValueId frames = bytes_of(e);
  b_->at(e->span);
  if (own == type) {
    return frames;
  }
  const ValueId place = scratch_.allocate(b_->constant(type.size), true);
  ValueId start = place;
  if (own.kind != type.kind) {
    const auto none = static_cast<std::int64_t>(record::kKernelStack);
    memory_stores_.store_bytes(place, 8, b_->constant(none));
    start = b_->binary(ir::Op::kAdd, place, b_->constant(8), ir::Type::u64());
  }
  if (own.size != 0) {
    memory_stores_.store_bytes(start, own.size, frames);
  }
  return memory_bytes(place, type.size, Whose::kKernel);
}

// An address of a key that is shown in several ways says itself in which (record/own_symbol.h).
ValueId Aggregations::address(const Expr* e) {
  const FieldType own = field_type(e, world_, rules_);
  if (own.kind == FieldKind::kUaddr) {
    return bytes_of(e);
  }
  constexpr std::uint32_t kBytes = 16;
  const bool of_kernel = own.kind == FieldKind::kSym || own.kind == FieldKind::kMod;
  const ValueId symbol = of_kernel ? value(e) : bytes_of(e);
  b_->at(e->span);
  const auto at = [&](ValueId place, std::int64_t offset) {
    return b_->binary(ir::Op::kAdd, place, b_->constant(offset), ir::Type::u64());
  };
  const ValueId place = scratch_.allocate(b_->constant(kBytes), true);
  if (of_kernel) {
    memory_stores_.store_bytes(at(place, 8), 8, symbol);
  } else {
    memory_stores_.store_bytes(place, kBytes, symbol);
  }
  memory_stores_.store_bytes(at(place, 4), 4, b_->constant(record::own_kind(own.kind)));
  return memory_bytes(place, kBytes, Whose::kKernel);
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
