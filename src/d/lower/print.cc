// print(): a value and the shape of its type; dumps of memory; packets.

#include "d/lower/lowerer.h"
#include "d/meaning/kernel_member.h"
#include "record/type_shape.h"

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

// pcap(skb, type): what lies in the packet's own memory, pcapsize bytes of it at
// most; and how long the whole packet is.
void Lowerer::packet_field(const Expr* e) {
  const std::uint32_t size = world_.packet_size;
  const ValueId skb = value(e->args[0]);
  const ValueId link_type = convert(value(e->args[1]), ir::Type::s32());
  b_->at(e->span);
  const ValueId data = load_member(skb, packet_members()[0]);
  const ValueId length = load_member(skb, packet_members()[1]);
  const ValueId elsewhere = load_member(skb, packet_members()[2]);
  const ValueId here = b_->binary(ir::Op::kSub, length, elsewhere, ir::Type::u32());
  const ir::BlockId all = b_->block();
  const ir::BlockId some = b_->block();
  const ir::BlockId join = b_->block();
  const ValueId used = b_->param(join, ir::Type::u32());
  b_->branch(b_->binary(ir::Op::kLtU, here, b_->constant(size), ir::Type::s32()), all, some);
  b_->enter(all);
  b_->jump(join, {here});
  b_->enter(some);
  b_->jump(join, {b_->constant(size, ir::Type::u32())});
  b_->enter(join);
  const ValueId place = allocate(b_->constant(size), true);
  operation(ir::Op::kCopyKernel, ir::Type::none(), {place, data, used});
  field({FieldKind::kBytes, size, false}, memory_bytes(place, size, false));
  field({FieldKind::kInt, 4, false}, used);
  field({FieldKind::kInt, 4, false}, length);
  field({FieldKind::kInt, 8, true}, b_->builtin(ir::Builtin::kWalltimestamp));
  field({FieldKind::kInt, 4, true}, link_type);
}

}  // namespace dt::d
