#include "d/lower/speculations.h"

#include "d/lower/segment.h"
#include "d/meaning/function_table.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/builder.h"

namespace dt::d::lowering {

using ir::ValueId;
using record::ActionKind;

namespace {

constexpr record::FieldType kId{record::FieldKind::kInt, 4, true};

}  // namespace

void Speculations::begin_segment() {
  speculated_here_ = false;
  ended_.clear();
}

void Speculations::speculate(const Expr* e) {
  current_ = convert(value(e->args[0]), ir::Type::s32());
  const ValueId works = is_used(e, *current_);
  const ir::BlockId good = b_->block();
  const ir::BlockId refused = b_->block();
  b_->branch(works, good, refused);
  b_->enter(refused);
  b_->ret();
  b_->enter(good);
  speculated_here_ = true;
}

// An id above the number of speculations that none of them has had is a fault.
ValueId Speculations::is_used(const Expr* e, ValueId id) {
  program_.speculations = world_.speculations;
  b_->at(e->span);
  return operation(ir::Op::kSpeculationInUse, ir::Type::s32(), {id});
}

// -1: no speculation.
ValueId Speculations::or_none(const std::optional<ValueId>& speculation) {
  return speculation ? *speculation : b_->constant(-1, ir::Type::s32());
}

// commit() and discard(): the record tells the consumer; then the id is free.
void Speculations::end(const Expr* e, record::Action& out) {
  const ValueId id = convert(value(e->args[0]), ir::Type::s32());
  is_used(e, id);
  segment_.add(kId, id);
  ended_.push_back(id);
  out.kind = static_cast<Fn>(e->index) == Fn::kCommit ? ActionKind::kCommit : ActionKind::kDiscard;
}

// Before the segment's record is written. speculate() alone makes a row.
void Speculations::mark(const Clause& clause) {
  if (!current_ || (segment_.layout().actions.empty() && !speculated_here_)) {
    return;
  }
  record::Action mark;
  mark.kind = ActionKind::kSpeculate;
  mark.span = clause.span;
  mark.first_field = static_cast<std::uint32_t>(segment_.layout().fields.size());
  mark.field_count = 1;
  segment_.add(kId, *current_);
  segment_.layout().actions.push_back(mark);
}

// After it.
void Speculations::free_ended() {
  for (const ValueId id : ended_) {
    ir::Inst inst;
    inst.op = ir::Op::kEndSpeculation;
    inst.args = {id};
    b_->add(std::move(inst));
  }
}

}  // namespace dt::d::lowering
