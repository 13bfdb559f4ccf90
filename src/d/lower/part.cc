#include "d/lower/part.h"

#include "d/check/checked.h"
#include "d/lower/context.h"
#include "d/lower/scratch_pointers.h"
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
      scratch_pointers_(context.scratch_pointers),
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

ValueId Part::read(ValueId address, ir::Type type, Whose whose,
                   const std::function<ValueId(bool)>& read) {
  if (whose != Whose::kEither) {
    return read(whose == Whose::kUser);
  }
  const ir::BlockId kernel = b_->block();
  const ir::BlockId user = b_->block();
  const ir::BlockId join = b_->block();
  const bool is_value = type != ir::Type::none();
  const ValueId result = is_value ? b_->param(join, type) : ir::kNone;
  b_->branch(b_->binary(ir::Op::kLtS, address, b_->constant(0), ir::Type::s32()), kernel, user);
  for (const ir::BlockId block : {kernel, user}) {
    b_->enter(block);
    const ValueId value = read(block == user);
    b_->jump(join, is_value ? std::vector{value} : std::vector<ValueId>{});
  }
  b_->enter(join);
  return result;
}

ValueId Part::load_memory(ValueId address, ir::Type type, Whose whose) {
  return read(address, type, whose, [&](bool user) {
    return b_->unary(user ? ir::Op::kLoadUser : ir::Op::kLoadKernel, address, type);
  });
}

ValueId Part::memory_bytes(ValueId address, std::uint32_t size, Whose whose) {
  const ir::Type type = ir::Type::bytes(size);
  return read(address, type, whose, [&](bool user) {
    return b_->unary(user ? ir::Op::kCopyin : ir::Op::kKernelBytes, address, type);
  });
}

ValueId Part::memory_string(ValueId address, std::uint32_t size, Whose whose) {
  const ir::Type type = ir::Type::string(size);
  return read(address, type, whose, [&](bool user) {
    return b_->unary(user ? ir::Op::kCopyinstr : ir::Op::kKernelString, address, type);
  });
}

bool Part::is_null(const Expr* e) const {
  return e->is_constant && e->int_value == 0 && !rules_.is_string(e->type);
}

Whose Part::whose_target(const Expr* pointer) const {
  const bool is_array = rules_.kind(pointer->type) == types::Kind::kArray;
  if (!rules_.is_userland_pointer(pointer->type) &&
      !(pointer->is_lvalue && pointer->in_user && is_array)) {
    return Whose::kKernel;
  }
  return scratch_pointers_.may_be(pointer) ? Whose::kEither : Whose::kUser;
}

Whose Part::whose(const Expr* object) const {
  if (!object->in_user) {
    return Whose::kKernel;
  }
  return scratch_pointers_.may_hold(object) ? Whose::kEither : Whose::kUser;
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
