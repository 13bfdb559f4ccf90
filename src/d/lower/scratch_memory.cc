#include "d/lower/scratch_memory.h"

#include "d/lower/capacities.h"
#include "d/lower/memory_stores.h"
#include "d/lower/objects.h"
#include "d/lower/string_values.h"
#include "d/meaning/function_table.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/builder.h"
#include "support/check.h"

namespace dt::d::lowering {

using ir::ValueId;

ValueId ScratchMemory::allocate(ValueId size, bool cleared) {
  ir::Inst inst;
  inst.op = ir::Op::kAlloca;
  inst.type = ir::Type::u64();
  inst.args = {size};
  inst.imm = cleared ? 0 : 1;
  return b_->add(std::move(inst));
}

ValueId ScratchMemory::copy_of_text(const Expr* e) {
  const std::uint32_t size = capacities_.of(e);
  const ValueId text = string_values_.fit(read_string(e), size);
  b_->at(e->span);
  const ValueId place = allocate(b_->constant(size), false);
  memory_stores_.store_bytes(place, size, text);
  return place;
}

ValueId ScratchMemory::copy_of(const Expr* e) {
  const ValueId bytes = bytes_of(e);
  b_->at(e->span);
  const ValueId place = allocate(b_->constant(rules_.size(e->type)), false);
  memory_stores_.store_bytes(place, rules_.size(e->type), bytes);
  return place;
}

// A pointer to it: for a string and an array in a variable, to a copy of it.
ValueId ScratchMemory::pointer(const Expr* e) {
  if (rules_.is_string(e->type)) {
    return copy_of_text(e);
  }
  return is_array_value(e) ? copy_of(e) : value(e);
}

// What was written to the copy that pointer() made of an array in a variable.
void ScratchMemory::take_back(const Expr* e, ValueId place) {
  if (is_array_value(e) && home_of(e, rules_) == Home::kVariable) {
    const Objects::Object to = objects_.object(e);
    objects_.store(to, bytes_type(e->type),
                   memory_bytes(place, rules_.size(e->type), Whose::kKernel));
  }
}

// Copies `size` bytes from what the expression `from`, lowered to `source`, points to.
void ScratchMemory::copy(const Expr* from, ValueId source, ValueId place, ValueId size) {
  read(source, ir::Type::none(), whose_target(from), [&](bool user) {
    return operation(user ? ir::Op::kCopyUser : ir::Op::kCopyKernel, ir::Type::none(),
                     {place, source, size});
  });
}

ValueId ScratchMemory::subroutine(const Expr* e) {
  if (static_cast<Fn>(e->index) == Fn::kCopyoutstr) {
    const ValueId text = read_string(e->args[0]);
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
      memory_stores_.store_memory(place, word, args[0]);
      const ValueId second = b_->binary(ir::Op::kAdd, place, b_->constant(8), ir::Type::u64());
      memory_stores_.store_memory(second, word, args[1]);
      return place;
    }
    default:
      DT_UNREACHABLE("subroutine {}", e->text);
  }
}

}  // namespace dt::d::lowering
