#include "d/lower/part.h"

#include "d/check/checked.h"
#include "d/lower/context.h"
#include "d/meaning/function_table.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "ir/builder.h"

namespace dt::d::lowering {

namespace {

// Whether every value of `from` is one of `to`.
bool within(const ir::Type& from, const ir::Type& to) {
  if (to.size == 8) {
    return true;  // the same register, called by another name
  }
  if (from.is_signed == to.is_signed) {
    return from.size <= to.size;
  }
  return to.is_signed && from.size < to.size;
}

}  // namespace

Part::Part(Context& context)
    : checked_(context.checked),
      world_(context.world),
      rules_(context.rules),
      program_(context.program),
      b_(context.builder),
      expressions_(context.expressions) {}

ValueId Part::operation(ir::Op op, ir::Type type, std::vector<ValueId> args) {
  ir::Inst inst;
  inst.op = op;
  inst.type = type;
  inst.args = std::move(args);
  return b_->add(std::move(inst));
}

ValueId Part::convert(ValueId value, ir::Type type) {
  return within(b_->type_of(value), type) ? value : b_->extend(value, type);
}

ValueId Part::convert_to(ValueId value, types::TypeId type) {
  if (rules_.at(type).is_bool) {
    value = b_->binary(ir::Op::kNe, value, b_->constant(0), ir::Type::s32());
  }
  return convert(value, rules_.ir_type(type));
}

ValueId Part::scale(ValueId v, std::uint64_t size) {
  if (size <= 1) {
    return v;
  }
  return b_->binary(ir::Op::kMul, v, b_->constant(static_cast<std::int64_t>(size)),
                    ir::Type::s64());
}

ValueId Part::load_memory(ValueId address, ir::Type type, bool user) {
  return b_->unary(user ? ir::Op::kLoadUser : ir::Op::kLoadKernel, address, type);
}

ValueId Part::memory_bytes(ValueId address, std::uint32_t size, bool user) {
  return b_->unary(user ? ir::Op::kCopyin : ir::Op::kKernelBytes, address, ir::Type::bytes(size));
}

bool Part::is_null(const Expr* e) const {
  return e->is_constant && e->int_value == 0 && !rules_.is_string(e->type);
}

bool Part::points_to_user(const Expr* e) const {
  return rules_.is_userland_pointer(e->type) ||
         (e->is_lvalue && e->in_user && rules_.kind(e->type) == types::Kind::kArray);
}

ir::Type Part::bytes_type(types::TypeId type) const { return ir::Type::bytes(rules_.size(type)); }

const Expr* Part::constant_copyin(const Expr* e) const {
  while (e->kind == ExprKind::kCast && !rules_.is_integer(e->type)) {
    e = e->args[0];
  }
  const bool is_copyin = e->kind == ExprKind::kCall && e->symbol == Symbol::kSubroutine &&
                         static_cast<Fn>(e->index) == Fn::kCopyin && e->args[1]->is_constant &&
                         e->args[1]->int_value - 1 < kMaxRecordedBytes;
  return is_copyin ? e : nullptr;
}

bool Part::is_array_value(const Expr* e) const {
  return rules_.kind(e->type) == types::Kind::kArray && home_of(e, rules_) != Home::kMemory;
}

ir::Type Part::unit_type(const BitField& field) { return ir::Type::integer(field.size, false); }

}  // namespace dt::d::lowering
