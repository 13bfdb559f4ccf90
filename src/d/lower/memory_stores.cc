// Stores by pointer reach scratch memory only (alloca, copyin): D never writes to the kernel's or a
// program's memory except by copyout().

#include "d/lower/memory_stores.h"

#include <algorithm>

#include "d/lower/bit_fields.h"
#include "d/lower/integers.h"
#include "d/lower/string_values.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "front/world.h"
#include "ir/builder.h"

namespace dt::d::lowering {

using ir::ValueId;

void MemoryStores::store_bytes(ValueId place, std::uint32_t size, ValueId value) {
  ir::Inst inst;
  inst.op = ir::Op::kStoreScratch;
  inst.args = {place, value};
  inst.imm = size;
  b_->add(std::move(inst));
}

void MemoryStores::store_memory(ValueId place, types::TypeId type, ValueId value) {
  store_bytes(place, rules_.ir_type(type).size, value);
}

// A scalar in memory, which `place` is the address of: of its unit, for a bit-field.
ValueId MemoryStores::load_place(const Expr* e, ValueId place) {
  const auto field = bit_fields_.of(e);
  if (!field) {
    return load_memory(place, rules_.ir_type(e->type), Whose::kKernel);
  }
  return bit_fields_.cut(e, *field, load_memory(place, unit_type(*field), Whose::kKernel));
}

// Gives what the lvalue then holds.
ValueId MemoryStores::store_place(const Expr* e, ValueId place, ValueId v) {
  const auto field = bit_fields_.of(e);
  if (!field) {
    v = convert_to(v, e->type);
    store_memory(place, e->type, v);
    return v;
  }
  if (rules_.at(e->type).is_bool) {
    v = convert_to(v, e->type);
  }
  const ValueId unit =
      bit_fields_.set(*field, load_memory(place, unit_type(*field), Whose::kKernel), v);
  store_bytes(place, field->size, unit);
  return bit_fields_.cut(e, *field, unit);
}

// *p = value for a structure, an array or a string; gives its address.
ValueId MemoryStores::assign_object(const Expr* e) {
  const Expr* target = e->args[0];
  const Expr* from = e->args[1];
  const ValueId place = address(target);
  const std::uint32_t size =
      rules_.is_string(target->type) ? world_.string_size : rules_.size(target->type);
  if (rules_.is_string(target->type) || !same_object(target->type, from->type, rules_)) {
    const ValueId text = string_values_.fit(string(from), size);
    b_->at(e->span);
    store_bytes(place, size, text);
  } else if (home_of(from, rules_) == Home::kMemory) {
    const ValueId source = address(from);
    b_->at(e->span);
    read(source, ir::Type::none(), whose(from), [&](bool user) {
      return operation(user ? ir::Op::kCopyUser : ir::Op::kCopyKernel, ir::Type::none(),
                       {place, source, b_->constant(size)});
    });
  } else {
    const ValueId bytes = bytes_of(from);
    b_->at(e->span);
    store_bytes(place, size, bytes);
  }
  return place;
}

ValueId MemoryStores::place_of(const Expr* target) {
  const auto field = bit_fields_.of(target);
  return field ? bit_fields_.unit_address(target, *field) : address(target);
}

ValueId MemoryStores::assign(const Expr* e) {
  const Expr* target = e->args[0];
  if (rules_.is_string(target->type) || is_object(target->type, rules_)) {
    const ValueId place = assign_object(e);
    return rules_.is_string(target->type)
               ? b_->unary(ir::Op::kKernelString, place, ir::Type::string(world_.string_size))
               : place;
  }
  return assign_at(e, place_of(target));
}

ValueId MemoryStores::assign_at(const Expr* e, ValueId place) {
  const Expr* target = e->args[0];
  ValueId v = value(e->args[1]);
  b_->at(e->span);
  if (e->op != Op::kNone) {
    if (rules_.is_pointer(target->type)) {
      v = scale(v, rules_.size(rules_.pointee(target->type)));
    }
    v = integers_.combine(e, load_place(target, place), v);
  }
  return store_place(target, place, v);
}

ValueId MemoryStores::increment(const Expr* e) { return increment_at(e, place_of(e->args[0])); }

ValueId MemoryStores::increment_at(const Expr* e, ValueId place) {
  const Expr* target = e->args[0];
  b_->at(e->span);
  std::int64_t amount = 1;
  if (rules_.is_pointer(target->type)) {
    amount = std::max<std::int64_t>(1, rules_.size(rules_.pointee(target->type)));
  }
  const ValueId old = load_place(target, place);
  const ValueId sum =
      b_->binary(e->op == Op::kDec ? ir::Op::kSub : ir::Op::kAdd, old, b_->constant(amount),
                 ir::Type::integer(8, rules_.is_signed(target->type)));
  const ValueId v = store_place(target, place, sum);
  return e->kind == ExprKind::kPostfix ? old : v;
}

}  // namespace dt::d::lowering
