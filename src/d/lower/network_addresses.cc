#include "d/lower/network_addresses.h"

#include "d/lower/address_kind.h"
#include "d/lower/capacities.h"
#include "d/lower/scratch_memory.h"
#include "d/lower/string_values.h"
#include "d/meaning/function_table.h"
#include "d/syntax/ast.h"
#include "ir/address_text.h"
#include "ir/builder.h"

namespace dt::d::lowering {

using ir::AddressKind;
using ir::ValueId;

ValueId NetworkAddresses::text_at(ValueId at, AddressKind kind, Whose whose, std::uint32_t size) {
  ir::Inst inst;
  inst.op = ir::Op::kAddressText;
  inst.type = ir::Type::string(ir::address_capacity(kind));
  inst.imm = static_cast<std::int64_t>(kind);
  const auto load = [&](std::uint32_t offset, std::uint32_t bytes) {
    const ValueId place =
        offset == 0 ? at : b_->binary(ir::Op::kAdd, at, b_->constant(offset), ir::Type::u64());
    return load_memory(place, ir::Type::integer(bytes, false), whose);
  };
  switch (kind) {
    case AddressKind::kInet:
      inst.args = {load(0, 4)};
      break;
    case AddressKind::kInet6: {
      const ValueId first = load(0, 8);
      inst.args = {first, load(8, 8)};
      break;
    }
    case AddressKind::kEther: {  // six bytes, and no byte behind them
      const ValueId low = load(0, 4);
      const ValueId high = b_->binary(ir::Op::kShl, load(4, 2), b_->constant(32), ir::Type::u64());
      inst.args = {b_->binary(ir::Op::kOr, low, high, ir::Type::u64())};
      break;
    }
  }
  return string_values_.fit(b_->add(std::move(inst)), size);
}

// A family that is known only now is one of those that the subroutine knows, or
// faults.
ValueId NetworkAddresses::text(const Expr* e) {
  const std::uint32_t size = capacities_.of_address(e);
  const Expr* from = e->args.back();
  if (static_cast<Fn>(e->index) == Fn::kInetNtoa || static_cast<Fn>(e->index) == Fn::kInetNtoa6) {
    from = e->args[0];
  }
  const Whose whose = whose_target(from);
  const bool is_dynamic = from != e->args[0] && !e->args[0]->is_constant;
  if (!is_dynamic) {
    const ValueId at = scratch_.pointer(from);
    b_->at(e->span);
    return text_at(at, *address_kind(e), whose, size);
  }
  const ValueId family = value(e->args[0]);
  const ValueId at = scratch_.pointer(from);
  b_->at(e->span);
  const ir::BlockId join = b_->block();
  const ValueId result = b_->param(join, ir::Type::string(size));
  const bool is_link = static_cast<Fn>(e->index) == Fn::kLinkNtop;
  for (const AddressKind kind : {AddressKind::kEther, AddressKind::kInet, AddressKind::kInet6}) {
    if (is_link != (kind == AddressKind::kEther)) {
      continue;
    }
    const ir::BlockId yes = b_->block();
    const ir::BlockId no = b_->block();
    b_->branch(b_->binary(ir::Op::kEq, family, b_->constant(static_cast<std::int64_t>(kind)),
                          ir::Type::s32()),
               yes, no);
    b_->enter(yes);
    b_->jump(join, {text_at(at, kind, whose, size)});
    b_->enter(no);
  }
  b_->fault(record::Fault::kIllegalOperation);
  b_->ret();
  b_->enter(join);
  return result;
}

}  // namespace dt::d::lowering
