// Speculations. What a clause records after speculate() carries the id; the
// consumer keeps it until a commit() or discard() of the id. Behind an if with a speculate()
// in a branch, the id is what came by that way: -1 where none did.

#include "d/lower/lowerer.h"

namespace dt::d {

using ir::ValueId;
using record::ActionKind;

namespace {

constexpr record::FieldType kId{record::FieldKind::kInt, 4, true};

}  // namespace

void Lowerer::speculate(const Expr* e) {
  program_.speculations = world_.speculations;
  speculation_ = convert(value(e->args[0]), ir::Type::s32());
  speculated_here_ = true;
}

// -1: no speculation.
ValueId Lowerer::speculation_or_none(const std::optional<ValueId>& speculation) {
  return speculation ? *speculation : b_->constant(-1, ir::Type::s32());
}

// commit() and discard(): the record tells the consumer; then the id is free.
void Lowerer::end_speculation(const Expr* e, record::Action& out) {
  const ValueId id = convert(value(e->args[0]), ir::Type::s32());
  program_.speculations = world_.speculations;
  field(kId, id);
  ended_speculations_.push_back(id);
  out.kind = static_cast<Fn>(e->index) == Fn::kCommit ? ActionKind::kCommit : ActionKind::kDiscard;
}

// Before the segment's record is written. speculate() alone makes a row.
void Lowerer::mark_speculative(const Clause& clause) {
  if (!speculation_ || (layout_.actions.empty() && !speculated_here_)) {
    return;
  }
  record::Action mark;
  mark.kind = ActionKind::kSpeculate;
  mark.span = clause.span;
  mark.first_field = static_cast<std::uint32_t>(layout_.fields.size());
  mark.field_count = 1;
  field(kId, *speculation_);
  layout_.actions.push_back(mark);
}

// After it.
void Lowerer::free_speculations() {
  for (const ValueId id : ended_speculations_) {
    ir::Inst inst;
    inst.op = ir::Op::kEndSpeculation;
    inst.args = {id};
    b_->add(std::move(inst));
  }
}

}  // namespace dt::d
