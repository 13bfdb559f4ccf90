// Memory of the kernel and of the traced process: addresses of lvalues, loads,
// bit-fields.

#include "d/lower/lowerer.h"
#include "support/check.h"

namespace dt::d {

using ir::ValueId;

// The address of an lvalue in memory (not of a variable), or the value of a
// pointer that an array decays to.
ValueId Lowerer::address(const Expr* e) {
  if (is_expanded(e)) {
    return address(unfold(e));
  }
  switch (e->kind) {
    case ExprKind::kUnary:
      if (e->op == Op::kDeref) {
        return value(e->args[0]);
      }
      break;
    case ExprKind::kScoped:
      return symbol_address(e);
    case ExprKind::kIndex: {
      if (e->symbol != Symbol::kUnresolved) {
        break;
      }
      const Expr* base = e->args[0];
      const ValueId start = value(base);
      const std::uint64_t size = rules_.size(rules_.pointee(base->type));
      const Expr* index = e->args[1];
      if (index->is_constant && index->int_value == 0) {
        return start;
      }
      const ValueId offset = scale(value(index), size);
      b_->at(e->span);
      return b_->binary(ir::Op::kAdd, start, offset, ir::Type::u64());
    }
    case ExprKind::kMember: {
      const Expr* object = e->args[0];
      const types::TypeId outer = e->arrow ? rules_.pointee(object->type) : object->type;
      const auto found = world_.types.member(outer, e->text);
      DT_CHECK(found.has_value(), "member {}", e->text);
      const ValueId start = e->arrow ? value(object) : address(object);
      if (found->bit_offset / 8 == 0) {
        return start;
      }
      b_->at(e->span);
      return b_->binary(ir::Op::kAdd, start, b_->constant(found->bit_offset / 8), ir::Type::u64());
    }
    default:
      break;
  }
  return value(e);
}

// Of a per-CPU variable, that of this CPU's copy.
ValueId Lowerer::symbol_address(const Expr* e) {
  b_->at(e->span);
  const ValueId start = b_->constant(static_cast<std::int64_t>(e->int_value), ir::Type::u64());
  if (!e->is_per_cpu) {
    return start;
  }
  const ValueId offset = scale(b_->builtin(ir::Builtin::kCpu), sizeof(std::uint64_t));
  const ValueId table =
      b_->constant(static_cast<std::int64_t>(checked_.per_cpu_offsets), ir::Type::u64());
  const ValueId at = b_->binary(ir::Op::kAdd, table, offset, ir::Type::u64());
  return b_->binary(ir::Op::kAdd, start, load_memory(at, ir::Type::u64(), false), ir::Type::u64());
}

bool Lowerer::points_to_user(const Expr* e) const {
  return rules_.is_userland_pointer(e->type) ||
         (e->is_lvalue && e->in_user && rules_.kind(e->type) == types::Kind::kArray);
}

ValueId Lowerer::load_memory(ValueId address, ir::Type type, bool user) {
  return b_->unary(user ? ir::Op::kLoadUser : ir::Op::kLoadKernel, address, type);
}

ValueId Lowerer::memory_bytes(ValueId address, std::uint32_t size, bool user) {
  return b_->unary(user ? ir::Op::kCopyin : ir::Op::kKernelBytes, address, ir::Type::bytes(size));
}

ValueId Lowerer::load_lvalue(const Expr* e) {
  if (!rules_.is_scalar(e->type) || rules_.kind(e->type) == types::Kind::kArray) {
    return address(e);
  }
  if (home_of(e, rules_) != Home::kMemory) {
    return load_part(e);
  }
  if (const auto field = bit_field(e)) {
    return load_bit_field(e, *field);
  }
  const ValueId at = address(e);
  b_->at(e->span);
  return load_memory(at, rules_.ir_type(e->type), e->in_user);
}

std::optional<BitField> Lowerer::bit_field(const Expr* e) const {
  if (e->kind != ExprKind::kMember) {
    return std::nullopt;
  }
  const Expr* object = e->args[0];
  const types::TypeId outer = e->arrow ? rules_.pointee(object->type) : object->type;
  const auto found = world_.types.member(outer, e->text);
  DT_CHECK(found.has_value(), "member {}", e->text);
  if (found->bit_size == 0) {
    return std::nullopt;
  }
  const std::uint32_t size = rules_.ir_type(e->type).size;
  const auto placed = place_bit_field(*found, size, rules_.size(outer));
  if (placed) {
    return placed;
  }
  // In memory there is something behind the structure.
  const std::uint32_t first = found->bit_offset / 8;
  return BitField{8, first, found->bit_offset - first * 8, found->bit_size};
}

// Where the unit of a bit-field begins.
ValueId Lowerer::unit_address(const Expr* e, const BitField& field) {
  const Expr* object = e->args[0];
  const ValueId start = e->arrow ? value(object) : address(object);
  b_->at(e->span);
  if (field.offset == 0) {
    return start;
  }
  return b_->binary(ir::Op::kAdd, start, b_->constant(field.offset), ir::Type::u64());
}

ValueId Lowerer::load_bit_field(const Expr* e, const BitField& field) {
  const ValueId at = unit_address(e, field);
  return cut_bit_field(e, field, load_memory(at, unit_type(field), e->in_user));
}

// The unit with the field's bits taken from the value, and the others as they were.
ValueId Lowerer::set_bit_field(const BitField& field, ValueId unit, ValueId v) {
  const std::uint64_t ones =
      field.bit_size >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << field.bit_size) - 1;
  const auto mask = static_cast<std::int64_t>(ones << field.shift);
  const ValueId kept = b_->binary(ir::Op::kAnd, unit, b_->constant(~mask), ir::Type::u64());
  const ValueId moved = b_->binary(
      ir::Op::kAnd, b_->binary(ir::Op::kShl, v, b_->constant(field.shift), ir::Type::u64()),
      b_->constant(mask), ir::Type::u64());
  return b_->binary(ir::Op::kOr, kept, moved, ir::Type::u64());
}

// The field's value, from the unit that holds it.
ValueId Lowerer::cut_bit_field(const Expr* e, const BitField& field, ValueId unit) {
  const ir::Type type = rules_.ir_type(e->type);
  ValueId v = unit;
  if (type.is_signed) {
    v = b_->binary(ir::Op::kShl, v, b_->constant(64 - field.shift - field.bit_size),
                   ir::Type::s64());
    return b_->binary(ir::Op::kShrS, v, b_->constant(64 - field.bit_size), type);
  }
  if (field.shift != 0) {
    v = b_->binary(ir::Op::kShrU, v, b_->constant(field.shift), ir::Type::u64());
  }
  if (field.bit_size < 64) {
    const std::int64_t mask = (std::int64_t{1} << field.bit_size) - 1;
    v = b_->binary(ir::Op::kAnd, v, b_->constant(mask), type);
  }
  return v;
}

const Expr* Lowerer::constant_copyin(const Expr* e) const {
  while (e->kind == ExprKind::kCast && !rules_.is_integer(e->type)) {
    e = e->args[0];
  }
  const bool is_copyin = e->kind == ExprKind::kCall && e->symbol == Symbol::kSubroutine &&
                         static_cast<Fn>(e->index) == Fn::kCopyin && e->args[1]->is_constant &&
                         e->args[1]->int_value - 1 < kMaxRecordedBytes;
  return is_copyin ? e : nullptr;
}

}  // namespace dt::d
