// A structure or an array in a variable is bytes. Reading a member reads its bytes at a constant or
// computed offset; an index is checked against the array's length first, and a wrong one is a
// fault, not another variable's memory.

#include "d/lower/objects.h"

#include <algorithm>

#include "d/lower/bit_fields.h"
#include "d/lower/capacities.h"
#include "d/lower/conditions.h"
#include "d/lower/integers.h"
#include "d/lower/memory_stores.h"
#include "d/lower/parameters.h"
#include "d/lower/recorded_values.h"
#include "d/lower/string_values.h"
#include "d/lower/variables.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/builder.h"
#include "support/check.h"

namespace dt::d::lowering {

using ir::ValueId;

// Where a part begins in its whole, in bytes; a computed index adds to `moved`.
void Objects::part_offset(const Expr* e, Object& out) {
  if (e == out.whole) {
    return;
  }
  part_offset(e->args[0], out);
  if (e->kind == ExprKind::kMember) {
    const auto found = world_.types.member(e->args[0]->type, e->text);
    DT_CHECK(found.has_value(), "member {}", e->text);
    out.field = bit_fields_.of(e);
    out.fixed += out.field ? out.field->offset : found->bit_offset / 8;
    return;
  }
  const Expr* index = e->args[1];
  const types::Type& array = rules_.at(e->args[0]->type);
  const std::uint32_t size = rules_.size(array.target);
  if (index->is_constant) {
    out.fixed += static_cast<std::uint32_t>(index->int_value) * size;
    return;
  }
  const ValueId at = value(index);
  check_index(index, at, array.count);
  const ValueId bytes = scale(at, size);
  out.moved =
      out.moved == ir::kNone ? bytes : b_->binary(ir::Op::kAdd, out.moved, bytes, ir::Type::u64());
}

// An index that is out of range is a fault, with the index as its address.
void Objects::check_index(const Expr* e, ValueId index, std::uint32_t count) {
  const ir::BlockId good = b_->block();
  const ir::BlockId bad = b_->block();
  b_->at(e->span);
  b_->branch(b_->binary(ir::Op::kLtU, index, b_->constant(count), ir::Type::s32()), good, bad);
  b_->enter(bad);
  ir::Inst fault;
  fault.op = ir::Op::kFault;
  fault.imm = static_cast<std::int64_t>(record::Fault::kBadAddress);
  fault.args = {index};
  b_->add(std::move(fault));
  b_->ret();
  b_->enter(good);
}

Objects::Object Objects::object(const Expr* e) {
  Object out;
  out.whole = whole_of(e, rules_);
  if (home_of(e, rules_) == Home::kVariable) {
    out.keys = variables_.keys_of(out.whole);
  } else {
    out.bytes = bytes_of(out.whole);
  }
  part_offset(e, out);
  return out;
}

ValueId Objects::load(const Object& from, ir::Type type) {
  ir::Inst inst;
  inst.type = type;
  inst.imm = from.fixed;
  if (from.bytes != ir::kNone) {
    inst.op = ir::Op::kPart;
    inst.args = {from.bytes};
  } else {
    inst.op = ir::Op::kLoadPart;
    inst.index = from.whole->index;
    inst.args = from.keys;
  }
  if (from.moved != ir::kNone) {
    inst.args.push_back(from.moved);
  }
  return b_->add(std::move(inst));
}

void Objects::store(const Object& to, ir::Type type, ValueId value) {
  ir::Inst inst;
  inst.op = ir::Op::kStorePart;
  inst.index = to.whole->index;
  inst.imm = to.fixed;
  inst.stored = type;
  inst.args = to.keys;
  if (to.moved != ir::kNone) {
    inst.args.push_back(to.moved);
  }
  inst.args.push_back(value);
  b_->add(std::move(inst));
}

// A scalar of an object that is not in memory.
ValueId Objects::load_part(const Expr* e) {
  const Object from = object(e);
  b_->at(e->span);
  return load_scalar(e, from);
}

// The bytes of an object, wherever it is.
ValueId Objects::bytes_of(const Expr* e) {
  if (is_expanded(e)) {
    return bytes_of(parameters_.unfold(e));
  }
  b_->at(e->span);
  switch (e->kind) {
    case ExprKind::kAssign: {
      if (home_of(e->args[0], rules_) != Home::kMemory) {
        return assign_object(e);
      }
      const ValueId place = memory_stores_.assign_object(e);
      return memory_bytes(place, rules_.size(e->type), Whose::kKernel);
    }
    case ExprKind::kComma:
      effect(e->args[0]);
      return bytes_of(e->args[1]);
    case ExprKind::kTernary:
      return conditions_.ternary(e, Conditions::Arms::kBytes);
    case ExprKind::kBuilt:
      return built(e);
    case ExprKind::kCall:
      if (e->symbol == Symbol::kAction) {
        return recorded_.bytes_of(e);
      }
      break;
    default:
      break;
  }
  if (e->symbol == Symbol::kParameter && home_of(e, rules_) == Home::kValue) {
    return parameters_.at(e->slot);
  }
  if (home_of(e, rules_) == Home::kMemory) {
    const ValueId at = address(e);
    b_->at(e->span);
    return memory_bytes(at, rules_.size(e->type), whose(e));
  }
  const Object from = object(e);
  b_->at(e->span);
  if (from.whole == e && from.bytes == ir::kNone) {
    return b_->load(e->index, program_.variables[e->index].type, from.keys);
  }
  return from.whole == e ? from.bytes : load(from, bytes_type(e->type));
}

// A translated structure, made in scratch memory: what the translator does not give is zero.
ValueId Objects::built(const Expr* e) {
  const std::uint32_t size = rules_.size(e->type);
  ir::Inst allocate;
  allocate.op = ir::Op::kAlloca;
  allocate.type = ir::Type::u64();
  allocate.args = {b_->constant(size)};
  const ValueId start = b_->add(std::move(allocate));
  for (const Expr* member : e->args) {
    const auto found = world_.types.member(e->type, member->text);
    DT_CHECK(found.has_value(), "member {}", member->text);
    const types::TypeId type = found->type;
    const auto place = [&](std::uint32_t offset) {
      b_->at(e->span);
      return b_->binary(ir::Op::kAdd, start, b_->constant(offset), ir::Type::u64());
    };
    const std::uint32_t offset = found->bit_offset / 8;
    if (rules_.is_string(type) || rules_.is_char_array(type)) {
      const std::uint32_t room = rules_.is_string(type) ? world_.string_size : rules_.size(type);
      const ValueId text = string_values_.fit(string(member), room);
      memory_stores_.store_bytes(place(offset), room, text);
    } else if (is_object(type, rules_)) {
      const ValueId bytes = bytes_of(member);
      memory_stores_.store_bytes(place(offset), rules_.size(type), bytes);
    } else if (found->bit_size != 0) {
      const auto field = place_bit_field(*found, rules_.ir_type(type).size, size);
      DT_CHECK(field.has_value(), "bit-field {}", member->text);
      const ValueId v = value(member);
      const ValueId at = place(field->offset);
      const ValueId before = load_memory(at, unit_type(*field), Whose::kKernel);
      memory_stores_.store_bytes(at, field->size, bit_fields_.set(*field, before, v));
    } else {
      const ValueId v = convert_to(value(member), type);
      memory_stores_.store_memory(place(offset), type, v);
    }
  }
  b_->at(e->span);
  return memory_bytes(start, size, Whose::kKernel);
}

// x = value for an object x, whole or part; gives the bytes that x then holds.
ValueId Objects::assign_object(const Expr* e) {
  const Expr* target = e->args[0];
  const Expr* from = e->args[1];
  const Object to = object(target);
  if (is_null(from)) {
    ir::Inst clear;
    clear.op = ir::Op::kClear;
    clear.index = to.whole->index;
    clear.args = to.keys;
    b_->add(std::move(clear));
  } else if (rules_.is_string(from->type) || !same_object(target->type, from->type, rules_)) {
    const ValueId text = string(from);
    b_->at(e->span);
    store(to, ir::Type::string(rules_.size(target->type)), text);
  } else {
    const ValueId bytes = bytes_of(from);
    b_->at(e->span);
    if (to.whole == target) {
      variables_.store(target->index, to.keys, bytes);
    } else {
      store(to, bytes_type(target->type), bytes);
    }
    return bytes;
  }
  return load(to, bytes_type(target->type));
}

// The string that a part of type `string` is.
ValueId Objects::string_part(const Expr* e) {
  const Object from = object(e);
  b_->at(e->span);
  const ValueId bytes = load(from, ir::Type::bytes(world_.string_size));
  return b_->unary(ir::Op::kToString, bytes, ir::Type::string(capacities_.of(e)));
}

// x.a = value, x.a += value: gives what x.a then holds.
ValueId Objects::assign_part(const Expr* e) {
  const Expr* target = e->args[0];
  const Object to = object(target);
  if (rules_.is_string(target->type)) {
    const ValueId text = string(e->args[1]);
    b_->at(e->span);
    store(to, ir::Type::string(world_.string_size), text);
    return string_values_.fit(text, world_.string_size);
  }
  ValueId v = value(e->args[1]);
  b_->at(e->span);
  if (e->op != Op::kNone) {
    if (rules_.is_pointer(target->type)) {
      v = scale(v, rules_.size(rules_.pointee(target->type)));
    }
    v = integers_.combine(e, load_scalar(target, to), v);
  }
  return store_scalar(target, to, v);
}

ValueId Objects::increment_part(const Expr* e) {
  const Expr* target = e->args[0];
  const Object to = object(target);
  b_->at(e->span);
  std::int64_t amount = 1;
  if (rules_.is_pointer(target->type)) {
    amount = std::max<std::int64_t>(1, rules_.size(rules_.pointee(target->type)));
  }
  const ValueId old = load_scalar(target, to);
  const ValueId sum =
      b_->binary(e->op == Op::kDec ? ir::Op::kSub : ir::Op::kAdd, old, b_->constant(amount),
                 ir::Type::integer(8, rules_.is_signed(target->type)));
  const ValueId v = store_scalar(target, to, sum);
  return e->kind == ExprKind::kPostfix ? old : v;
}

ValueId Objects::load_scalar(const Expr* e, const Object& from) {
  if (!from.field) {
    return load(from, rules_.ir_type(e->type));
  }
  return bit_fields_.cut(e, *from.field, load(from, unit_type(*from.field)));
}

ValueId Objects::store_scalar(const Expr* e, const Object& to, ValueId v) {
  const auto& field = to.field;
  if (!field) {
    v = convert_to(v, e->type);
    store(to, rules_.ir_type(e->type), v);
    return v;
  }
  if (rules_.at(e->type).is_bool) {
    v = convert_to(v, e->type);
  }
  const ir::Type unit = unit_type(*field);
  const ValueId both = bit_fields_.set(*field, load(to, unit), v);
  store(to, unit, both);
  return bit_fields_.cut(e, *field, both);
}

}  // namespace dt::d::lowering
