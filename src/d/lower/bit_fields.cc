#include "d/lower/bit_fields.h"

#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/builder.h"
#include "support/check.h"

namespace dt::d::lowering {

using ir::ValueId;

std::optional<BitField> BitFields::of(const Expr* e) const {
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
ValueId BitFields::unit_address(const Expr* e, const BitField& field) {
  const Expr* object = e->args[0];
  const ValueId start = e->arrow ? value(object) : address(object);
  b_->at(e->span);
  if (field.offset == 0) {
    return start;
  }
  return b_->binary(ir::Op::kAdd, start, b_->constant(field.offset), ir::Type::u64());
}

// The unit with the field's bits taken from the value, and the others as they were.
ValueId BitFields::set(const BitField& field, ValueId unit, ValueId v) {
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
ValueId BitFields::cut(const Expr* e, const BitField& field, ValueId unit) {
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

}  // namespace dt::d::lowering
