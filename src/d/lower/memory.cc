#include "d/lower/memory.h"

#include "d/check/checked.h"
#include "d/lower/bit_fields.h"
#include "d/lower/objects.h"
#include "d/lower/parameters.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/builder.h"
#include "support/check.h"

namespace dt::d::lowering {

using ir::ValueId;

// The address of an lvalue in memory (not of a variable), or the value of a
// pointer that an array decays to.
ValueId Memory::address(const Expr* e) {
  if (is_expanded(e)) {
    return address(parameters_.unfold(e));
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
      const std::uint64_t size =
          rules_.is_string(base->type) ? 1 : rules_.size(rules_.pointee(base->type));
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
ValueId Memory::symbol_address(const Expr* e) {
  b_->at(e->span);
  const ValueId start = b_->constant(static_cast<std::int64_t>(e->int_value), ir::Type::u64());
  if (!e->is_per_cpu) {
    return start;
  }
  const ValueId offset = scale(b_->builtin(ir::Builtin::kCpu), sizeof(std::uint64_t));
  const ValueId table =
      b_->constant(static_cast<std::int64_t>(checked_.per_cpu_offsets), ir::Type::u64());
  const ValueId at = b_->binary(ir::Op::kAdd, table, offset, ir::Type::u64());
  return b_->binary(ir::Op::kAdd, start, load_memory(at, ir::Type::u64(), Whose::kKernel),
                    ir::Type::u64());
}

ValueId Memory::load(const Expr* e) {
  if (!rules_.is_scalar(e->type) || rules_.kind(e->type) == types::Kind::kArray) {
    return address(e);
  }
  if (home_of(e, rules_) != Home::kMemory) {
    return objects_.load_part(e);
  }
  if (const auto field = bit_fields_.of(e)) {
    return load_bit_field(e, *field);
  }
  const ValueId at = address(e);
  b_->at(e->span);
  return load_memory(at, rules_.ir_type(e->type), whose(e));
}

ValueId Memory::load_bit_field(const Expr* e, const BitField& field) {
  const ValueId at = bit_fields_.unit_address(e, field);
  return bit_fields_.cut(e, field, load_memory(at, unit_type(field), whose(e)));
}

}  // namespace dt::d::lowering
