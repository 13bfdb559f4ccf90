// print(): a value and the shape of its type; and dumps of memory.

#include "d/lowerer.h"

namespace dt::d {

using ir::ValueId;
using record::FieldKind;

void Lowerer::print(const Expr* e, record::Action& out) {
  const Expr* shown = e->args[0];
  if (is_object(shown->type, rules_)) {
    field({FieldKind::kBytes, rules_.size(shown->type), false}, bytes_of(shown));
  } else {
    argument_field(shown, 0);
  }
  out.shape = record::add_shape(world_.types, shown->type, layout_.shapes);
}

// `size` bytes at the address that an expression gives; of user memory when it
// says so or is a copyin() of so many. memref() gives what it refers to.
void Lowerer::memory_field(const Expr* memory, std::uint32_t size, const Expr* action) {
  if (memory->kind == ExprKind::kCall && memory->symbol == Symbol::kSubroutine &&
      static_cast<Fn>(memory->index) == Fn::kMemref) {
    memory = memory->args[0];
  }
  if (is_array_value(memory)) {
    const Object from = object(memory);
    b_->at(action->span);
    field({FieldKind::kBytes, size, false}, load_object(from, ir::Type::bytes(size)));
    return;
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
