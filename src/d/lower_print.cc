// print(): a value and the shape of its type; and dumps of memory.

#include "d/lowerer.h"

namespace dt::d {

using ir::ValueId;
using record::FieldKind;

void Lowerer::print(const Expr* e, record::Action& out) {
  const Expr* shown = e->args[0];
  const types::Kind kind = rules_.kind(shown->type);
  types::TypeId type = shown->type;
  if (kind == types::Kind::kArray || kind == types::Kind::kFloat ||
      rules_.is_aggregate(shown->type)) {
    if (shown->is_lvalue) {
      const std::uint32_t size = rules_.size(shown->type);
      const ValueId at = address(shown);
      b_->at(shown->span);
      field({FieldKind::kBytes, size, false}, memory_bytes(at, size, shown->in_user));
    } else {  // a string constant, which is an array of char to C
      type = world_.types.string_type();
      string_field(string(shown));
    }
  } else {
    argument_field(shown, 0);
  }
  out.shape = record::add_shape(world_.types, type, layout_.shapes);
}

// `size` bytes at the address that an expression gives; of user memory when it
// says so or is a copyin() of so many. memref() gives what it refers to.
void Lowerer::memory_field(const Expr* memory, std::uint32_t size, const Expr* action) {
  if (memory->kind == ExprKind::kCall && memory->symbol == Symbol::kSubroutine &&
      static_cast<Fn>(memory->index) == Fn::kMemref) {
    memory = memory->args[0];
  }
  const Expr* copied = constant_copyin(memory);
  if (copied != nullptr && copied->args[1]->int_value < size) {
    copied = nullptr;  // what lies behind the copy is not the process's
  }
  const ValueId at = copied != nullptr ? value(copied->args[0]) : value(memory);
  b_->at(action->span);
  field({FieldKind::kBytes, size, false},
        memory_bytes(at, size, copied != nullptr || points_to_user(memory)));
}

}  // namespace dt::d
