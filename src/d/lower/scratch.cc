// Scratch memory: alloca(), copyin() and the like, and stores by pointer.

#include <algorithm>

#include "d/lower/lowerer.h"
#include "support/check.h"

namespace dt::d {

using ir::ValueId;

ValueId Lowerer::allocate(ValueId size, bool cleared) {
  ir::Inst inst;
  inst.op = ir::Op::kAlloca;
  inst.type = ir::Type::u64();
  inst.args = {size};
  inst.imm = cleared ? 0 : 1;
  return b_->add(std::move(inst));
}

// A pointer to it: for a string and an array in a variable, to a copy of it.
ValueId Lowerer::pointer(const Expr* e) {
  if (rules_.is_string(e->type)) {
    const std::uint32_t size = capacity(e);
    const ValueId text = fit(string(e), size);
    b_->at(e->span);
    const ValueId place = allocate(b_->constant(size), false);
    store_bytes(place, size, text);
    return place;
  }
  if (!is_array_value(e)) {
    return value(e);
  }
  const ValueId bytes = bytes_of(e);
  b_->at(e->span);
  const ValueId place = allocate(b_->constant(rules_.size(e->type)), false);
  store_bytes(place, rules_.size(e->type), bytes);
  return place;
}

// What was written to the copy that pointer() made of an array in a variable.
void Lowerer::take_back(const Expr* e, ValueId place) {
  if (is_array_value(e) && home_of(e, rules_) == Home::kVariable) {
    const Object to = object(e);
    store_object(to, bytes_type(e->type), memory_bytes(place, rules_.size(e->type), false));
  }
}

// Copies `size` bytes from what the expression `from`, lowered to `source`, points to.
void Lowerer::copy(const Expr* from, ValueId source, ValueId place, ValueId size) {
  operation(points_to_user(from) ? ir::Op::kCopyUser : ir::Op::kCopyKernel, ir::Type::none(),
            {place, source, size});
}

ValueId Lowerer::scratch_subroutine(const Expr* e) {
  if (static_cast<Fn>(e->index) == Fn::kCopyoutstr) {
    const ValueId text = string(e->args[0]);
    const ValueId to = value(e->args[1]);
    const ValueId max = value(e->args[2]);
    b_->at(e->span);
    operation(ir::Op::kCopyoutString, ir::Type::none(), {text, to, max});
    return ir::kNone;
  }
  std::vector<ValueId> args;
  for (const Expr* argument : e->args) {
    args.push_back(pointer(argument));
  }
  b_->at(e->span);
  switch (static_cast<Fn>(e->index)) {
    case Fn::kAlloca:
      return allocate(args[0], true);
    case Fn::kBcopy:
      copy(e->args[0], args[0], args[1], args[2]);
      take_back(e->args[1], args[1]);
      return ir::kNone;
    case Fn::kCopyin: {
      const ValueId place = allocate(args[1], false);
      operation(ir::Op::kCopyUser, ir::Type::none(), {place, args[0], args[1]});
      return place;
    }
    case Fn::kCopyinto:
      operation(ir::Op::kCopyUser, ir::Type::none(), {args[2], args[0], args[1]});
      take_back(e->args[2], args[2]);
      return ir::kNone;
    case Fn::kCopyout:
      operation(ir::Op::kCopyout, ir::Type::none(), {args[0], args[1], args[2]});
      return ir::kNone;
    case Fn::kMemref: {  // an address and a size, side by side
      const ValueId place = allocate(b_->constant(16), false);
      const types::TypeId word = world_.types.integer(8, false);
      store_memory(place, word, args[0]);
      const ValueId second = b_->binary(ir::Op::kAdd, place, b_->constant(8), ir::Type::u64());
      store_memory(second, word, args[1]);
      return place;
    }
    default:
      DT_UNREACHABLE("subroutine {}", e->text);
  }
}

// ---- Stores by pointer ----------------------------------------------------------

void Lowerer::store_bytes(ValueId place, std::uint32_t size, ValueId value) {
  ir::Inst inst;
  inst.op = ir::Op::kStoreScratch;
  inst.args = {place, value};
  inst.imm = size;
  b_->add(std::move(inst));
}

void Lowerer::store_memory(ValueId place, types::TypeId type, ValueId value) {
  store_bytes(place, rules_.ir_type(type).size, value);
}

// A scalar in memory, which `place` is the address of: of its unit, for a bit-field.
ValueId Lowerer::load_place(const Expr* e, ValueId place) {
  const auto field = bit_field(e);
  if (!field) {
    return load_memory(place, rules_.ir_type(e->type), false);
  }
  return cut_bit_field(e, *field, load_memory(place, unit_type(*field), false));
}

// Gives what the lvalue then holds.
ValueId Lowerer::store_place(const Expr* e, ValueId place, ValueId v) {
  const auto field = bit_field(e);
  if (!field) {
    v = convert_to(v, e->type);
    store_memory(place, e->type, v);
    return v;
  }
  if (rules_.at(e->type).is_bool) {
    v = convert_to(v, e->type);
  }
  const ValueId unit = set_bit_field(*field, load_memory(place, unit_type(*field), false), v);
  store_bytes(place, field->size, unit);
  return cut_bit_field(e, *field, unit);
}

// *p = value for a structure, an array or a string; gives its address.
ValueId Lowerer::assign_memory_object(const Expr* e) {
  const Expr* target = e->args[0];
  const Expr* from = e->args[1];
  const ValueId place = address(target);
  const std::uint32_t size =
      rules_.is_string(target->type) ? program_.string_size : rules_.size(target->type);
  if (rules_.is_string(target->type) || !same_object(target->type, from->type, rules_)) {
    const ValueId text = fit(string(from), size);
    b_->at(e->span);
    store_bytes(place, size, text);
  } else if (home_of(from, rules_) == Home::kMemory) {
    const ValueId source = address(from);
    b_->at(e->span);
    operation(from->in_user ? ir::Op::kCopyUser : ir::Op::kCopyKernel, ir::Type::none(),
              {place, source, b_->constant(size)});
  } else {
    const ValueId bytes = bytes_of(from);
    b_->at(e->span);
    store_bytes(place, size, bytes);
  }
  return place;
}

ValueId Lowerer::place_of(const Expr* target) {
  const auto field = bit_field(target);
  return field ? unit_address(target, *field) : address(target);
}

ValueId Lowerer::assign_memory(const Expr* e) {
  const Expr* target = e->args[0];
  if (rules_.is_string(target->type) || is_object(target->type, rules_)) {
    const ValueId place = assign_memory_object(e);
    return rules_.is_string(target->type)
               ? b_->unary(ir::Op::kKernelString, place, ir::Type::string(program_.string_size))
               : place;
  }
  const ValueId place = place_of(target);
  ValueId v = value(e->args[1]);
  b_->at(e->span);
  if (e->op != Op::kNone) {
    if (rules_.is_pointer(target->type)) {
      v = scale(v, rules_.size(rules_.pointee(target->type)));
    }
    v = combine(e, load_place(target, place), v);
  }
  return store_place(target, place, v);
}

ValueId Lowerer::increment_memory(const Expr* e) {
  const Expr* target = e->args[0];
  const ValueId place = place_of(target);
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

}  // namespace dt::d
