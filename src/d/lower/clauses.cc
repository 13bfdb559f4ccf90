// A predicate is a branch at the beginning of the clause. All that a clause records is in one
// record, which is written at its end; if branches of an `if` record, each way through the clause
// has a layout of its own.

#include "d/lower/clauses.h"

#include <algorithm>
#include <array>
#include <optional>

#include "d/lower/conditions.h"
#include "d/lower/segment.h"
#include "d/lower/speculations.h"
#include "d/meaning/function_table.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/builder.h"
#include "probe/dtrace_probes.h"

namespace dt::d::lowering {

namespace {

bool is_exit(const Expr& e) {
  return e.kind == ExprKind::kCall && e.symbol == Symbol::kAction &&
         static_cast<Fn>(e.index) == Fn::kExit;
}

bool has_statement(const std::vector<Stmt*>& body) {
  return std::any_of(body.begin(), body.end(), [](const Stmt* stmt) {
    return stmt->kind == StmtKind::kBlock ? has_statement(stmt->body)
                                          : stmt->kind != StmtKind::kEmpty;
  });
}

// How many numbers of actions a statement takes.
std::uint32_t action_numbers(const Stmt& stmt) {
  std::uint32_t count = stmt.kind == StmtKind::kExpr ? 1 : 0;
  for (const Stmt* inner : stmt.body) {
    count += action_numbers(*inner);
  }
  return count;
}

}  // namespace

// A clause is one function. What stands between two ifs that record, and in each of their
// branches, is a segment: it records once, at its end, so that a segment which
// faults has recorded nothing. So a firing records once for each segment with actions that it
// comes through.
void Clauses::lower(const Clause& clause) {
  ir::FunctionBuilder builder;
  b_ = &builder;
  clause_ = &clause;
  ecb_ = {};
  for (const ProbeSpec& spec : clause.probes) {
    ecb_.points.push_back(probe::parse_point(spec.text, spec.span));
  }
  ecb_.span = clause.span;
  ecb_.is_added = clause.is_added;
  action_ = 0;
  has_exited_ = false;
  speculations_.begin_clause();
  const ir::BlockId out = builder.block();
  builder.at(clause.span);
  if (clause.predicate != nullptr) {
    builder.action(0);
    const ir::BlockId body = builder.block();
    conditions_.condition(clause.predicate, body, out);
    builder.enter(body);
  }
  begin_segment();
  for (const Stmt* stmt : clause.body) {
    statement(*stmt);
  }
  if (!has_statement(clause.body)) {
    record::Action row;
    row.kind = record::ActionKind::kDefault;
    row.span = clause.span;
    segment_.layout().actions.push_back(row);
  }
  end_segment();
  builder.jump(out);
  builder.enter(out);
  builder.ret();
  ecb_.body = builder.finish();
  program_.clauses.push_back(std::move(ecb_));
  b_ = nullptr;
}

bool Clauses::records(const Stmt& stmt) const {
  if (stmt.kind == StmtKind::kExpr) {
    return stmt.expr->kind == ExprKind::kCall && stmt.expr->symbol == Symbol::kAction;
  }
  if (stmt.kind == StmtKind::kIf) {
    if (const std::optional<bool> condition = conditions_.known(stmt.expr)) {
      const std::size_t taken = *condition ? 0 : 1;
      return taken < stmt.body.size() && records(*stmt.body[taken]);
    }
  }
  return std::any_of(stmt.body.begin(), stmt.body.end(),
                     [this](const Stmt* inner) { return records(*inner); });
}

void Clauses::begin_segment() {
  segment_.begin();
  speculations_.begin_segment();
}

void Clauses::end_segment() {
  b_->at(clause_->span);
  speculations_.mark(*clause_);
  if (!segment_.layout().actions.empty()) {
    if (world_.record_time && world_.record_thread) {
      segment_.add({record::FieldKind::kInt, 4, true}, b_->builtin(ir::Builtin::kPid));
      segment_.add({record::FieldKind::kInt, 4, true}, b_->builtin(ir::Builtin::kTid));
      segment_.layout().has_thread = true;
    }
    if (world_.record_time) {
      segment_.add({record::FieldKind::kInt, 8, true}, b_->builtin(ir::Builtin::kWalltimestamp));
      segment_.layout().has_time = true;
    }
    record::place_fields(segment_.layout());
    b_->emit(segment_.values(), static_cast<std::uint32_t>(ecb_.layouts.size()));
    ecb_.layouts.push_back(std::move(segment_.layout()));
  }
  speculations_.free_ended();
}

// illumos makes of what stands between two ifs, and of each branch, a clause of its own. So exit()
// ends the firing where these statements end, but for END and ERROR.
void Clauses::leave_if_exited() {
  if (!has_exited_) {
    return;
  }
  has_exited_ = false;
  const ValueId id = convert(b_->builtin(ir::Builtin::kProbeId), ir::Type::s64());
  const ValueId behind_begin =
      b_->binary(ir::Op::kSub, id, b_->constant(probe::kBeginId + 1), ir::Type::s64());
  const ValueId goes_on = b_->binary(
      ir::Op::kLtU, behind_begin, b_->constant(probe::kErrorId - probe::kBeginId), ir::Type::s32());
  const ir::BlockId on = b_->block();
  const ir::BlockId left = b_->block();
  b_->branch(goes_on, on, left);
  b_->enter(left);
  b_->ret();
  b_->enter(on);
}

// The segments of one clause, with an `if` between two actions:
//
//   trace(a); if (c) trace(b); else x++; trace(d);
//
//         [trace(a), c]        record 1
//           |        |
//     [trace(b)]   [x++]       record 2, or none
//           |        |
//         [trace(d)]           record 3
//
// The condition is evaluated before the first segment's record is written: it may fault, and then
// this segment has recorded nothing.
//
// An if whose branches record. The segment before it ends with its condition.
void Clauses::recording_if(const Stmt& stmt) {
  b_->action(action_ + 1);
  b_->at(stmt.expr->span);
  const ValueId wanted = conditions_.truth(stmt.expr);
  end_segment();
  const ir::BlockId join = b_->block();
  struct Branch {
    ir::BlockId begin, end = 0;
    std::optional<ValueId> speculation = {};
  };
  std::array<Branch, 2> branches = {{{b_->block()}, {b_->block()}}};
  b_->branch(wanted, branches[0].begin, branches[1].begin);
  const std::optional<ValueId> before = speculations_.current();
  for (std::size_t i = 0; i < branches.size(); ++i) {
    b_->enter(branches[i].begin);
    speculations_.set_current(before);
    if (i < stmt.body.size()) {
      begin_segment();
      statement(*stmt.body[i]);
      end_segment();
      leave_if_exited();
    }
    branches[i].end = b_->current();
    branches[i].speculation = speculations_.current();
  }
  // Each branch may have called speculate(), so which speculation is current behind the `if` is a
  // parameter of the join.
  const bool is_changed = branches[0].speculation != before || branches[1].speculation != before;
  for (const Branch& branch : branches) {
    b_->enter(branch.end);
    b_->jump(join, is_changed ? std::vector{speculations_.or_none(branch.speculation)}
                              : std::vector<ValueId>{});
  }
  speculations_.set_current(is_changed ? std::optional(b_->param(join, ir::Type::s32())) : before);
  b_->enter(join);
  begin_segment();
}

// An if whose condition is known, as the value of a script's option is. The branch that is not
// taken does not exist; the other one is a part of the segment around it, so that what both record
// is one record.
void Clauses::decided_if(const Stmt& stmt, bool condition) {
  const std::size_t taken = condition ? 0 : 1;
  for (std::size_t i = 0; i < stmt.body.size(); ++i) {
    if (i == taken) {
      statement(*stmt.body[i]);
      if (has_exited_) {
        end_segment();
        leave_if_exited();
        begin_segment();
      }
    } else {
      action_ += action_numbers(*stmt.body[i]);
    }
  }
}

void Clauses::statement(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kEmpty:
      return;
    case StmtKind::kBlock:
      for (const Stmt* inner : stmt.body) {
        statement(*inner);
      }
      return;
    case StmtKind::kExpr:
      b_->action(++action_);
      b_->at(stmt.expr->span);
      effect(stmt.expr);
      has_exited_ = has_exited_ || is_exit(*stmt.expr);
      return;
    case StmtKind::kIf:
      if (has_exited_) {
        end_segment();
        leave_if_exited();
        begin_segment();
      }
      if (const std::optional<bool> condition = conditions_.known(stmt.expr)) {
        return decided_if(stmt, *condition);
      }
      if (records(stmt)) {
        return recording_if(stmt);
      }
      break;
  }
  const ir::BlockId then = b_->block();
  const ir::BlockId join = b_->block();
  const ir::BlockId otherwise = stmt.body.size() > 1 ? b_->block() : join;
  b_->action(action_ + 1);
  conditions_.condition(stmt.expr, then, otherwise);
  b_->enter(then);
  statement(*stmt.body[0]);
  b_->jump(join);
  if (stmt.body.size() > 1) {
    b_->enter(otherwise);
    statement(*stmt.body[1]);
    b_->jump(join);
  }
  b_->enter(join);
}

}  // namespace dt::d::lowering
