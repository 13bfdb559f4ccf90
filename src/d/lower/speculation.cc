// Speculations. What a clause records after speculate() carries the id; the
// consumer keeps it until a commit() or discard() of the id. Where an if makes
// several parts of a clause, the id goes from part to part in a hidden variable,
// as its complement: 0, which the variable is at first, is "not speculating".

#include <algorithm>

#include "d/lower/lowerer.h"

namespace dt::d {

using ir::ValueId;
using record::ActionKind;

namespace {

constexpr record::FieldType kId{record::FieldKind::kInt, 4, true};

bool calls(const Stmt& stmt, Fn fn) {
  if (stmt.kind == StmtKind::kExpr) {
    return stmt.expr->kind == ExprKind::kCall && stmt.expr->symbol == Symbol::kAction &&
           static_cast<Fn>(stmt.expr->index) == fn;
  }
  return std::any_of(stmt.body.begin(), stmt.body.end(),
                     [fn](const Stmt* inner) { return calls(*inner, fn); });
}

}  // namespace

// Before a clause that has `parts` parts.
void Lowerer::plan_speculation(const Clause& clause, std::size_t parts) {
  const bool speculates = std::any_of(clause.body.begin(), clause.body.end(), [](const Stmt* stmt) {
    return calls(*stmt, Fn::kSpeculate);
  });
  speculation_variable_ = speculates && parts > 1 ? hidden_variable("speculation") : ir::kNone;
}

// At the start of a part.
void Lowerer::enter_speculation(bool is_first) {
  speculation_.reset();
  speculated_here_ = false;
  ended_speculations_.clear();
  if (speculation_variable_ != ir::kNone && !is_first) {
    const ValueId held = b_->load(speculation_variable_, ir::Type::s32());
    speculation_ = b_->extend(b_->unary(ir::Op::kNot, held, ir::Type::s64()), ir::Type::s32());
  }
}

void Lowerer::speculate(const Expr* e) {
  program_.speculations = world_.speculations;
  speculation_ = convert(value(e->args[0]), ir::Type::s32());
  speculated_here_ = true;
  if (speculation_variable_ != ir::kNone) {
    b_->at(e->span);
    const ValueId held = b_->unary(ir::Op::kNot, *speculation_, ir::Type::s64());
    store(speculation_variable_, {}, convert(held, ir::Type::s32()));
  }
}

// commit() and discard(): the record tells the consumer; then the id is free.
void Lowerer::end_speculation(const Expr* e, record::Action& out) {
  const ValueId id = convert(value(e->args[0]), ir::Type::s32());
  program_.speculations = world_.speculations;
  field(kId, id);
  ended_speculations_.push_back(id);
  out.kind = static_cast<Fn>(e->index) == Fn::kCommit ? ActionKind::kCommit : ActionKind::kDiscard;
}

// Before the part's record is written. speculate() alone makes a row.
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
