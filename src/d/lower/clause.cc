// Programs, clauses and statements.

#include <algorithm>
#include <array>

#include "d/lower/lowerer.h"

namespace dt::d {
namespace {

// Whether a statement records anything: an action is called.
bool records(const Stmt& stmt) {
  if (stmt.kind == StmtKind::kExpr) {
    return stmt.expr->kind == ExprKind::kCall && stmt.expr->symbol == Symbol::kAction;
  }
  return std::any_of(stmt.body.begin(), stmt.body.end(),
                     [](const Stmt* inner) { return records(*inner); });
}

bool has_statement(const std::vector<Stmt*>& body) {
  return std::any_of(body.begin(), body.end(), [](const Stmt* stmt) {
    return stmt->kind == StmtKind::kBlock ? has_statement(stmt->body)
                                          : stmt->kind != StmtKind::kEmpty;
  });
}

}  // namespace

void Lowerer::tables() {
  capacities();
  const auto ir_type = [this](types::TypeId type, std::uint32_t capacity) {
    return rules_.is_string(type)    ? ir::Type::string(capacity)
           : is_object(type, rules_) ? bytes_type(type)
                                     : rules_.ir_type(type);
  };
  for (std::size_t i = 0; i < checked_.variables.size(); ++i) {
    const VariableInfo& info = checked_.variables[i];
    ir::Variable variable{info.name, info.scope, ir_type(info.type, variable_capacity_[i]), {}};
    for (std::size_t k = 0; k < info.keys.size(); ++k) {
      variable.keys.push_back(rules_.is_string(info.keys[k]) ? ir::Type::string(key_capacity_[i][k])
                                                             : info.registers[k]);
    }
    program_.variables.push_back(std::move(variable));
  }
  for (std::size_t i = 0; i < checked_.aggregations.size(); ++i) {
    const AggregationInfo& info = checked_.aggregations[i];
    record::AggLayout layout;
    layout.name = info.name;
    layout.func = info.func;
    layout.params = info.params;
    for (std::size_t k = 0; k < info.keys.size(); ++k) {
      record::FieldType type = info.keys[k].field;
      if (type.kind == record::FieldKind::kString) {
        type.size = aggregation_capacity_[i][k];
      }
      layout.keys.push_back({type, 0, info.keys[k].span});
    }
    layout.value_words = record::value_words(info.func, info.params);
    layout.drained = info.drained;
    record::place_keys(layout);
    program_.aggregations.push_back(std::move(layout));
  }
  program_.string_size = world_.string_size;
  program_.scratch_size = (world_.scratch_size + 7) / 8 * 8;
}

// A clause is one function. What stands between two ifs that record, and in each of their
// branches, is a segment: it records once, at its end, so that a segment which
// faults has recorded nothing. So a firing records once for each segment with actions that it
// comes through.
void Lowerer::clause(const Clause& clause) {
  ir::FunctionBuilder builder;
  b_ = &builder;
  clause_ = &clause;
  ecb_ = {};
  for (const ProbeSpec& spec : clause.probes) {
    ecb_.patterns.push_back(spec.text);
    ecb_.pattern_spans.push_back(spec.span);
  }
  ecb_.span = clause.span;
  action_ = 0;
  speculation_.reset();
  const ir::BlockId out = builder.block();
  builder.at(clause.span);
  if (clause.predicate != nullptr) {
    builder.action(0);
    const ir::BlockId body = builder.block();
    condition(clause.predicate, body, out);
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
    layout_.actions.push_back(row);
  }
  end_segment();
  builder.jump(out);
  builder.enter(out);
  builder.ret();
  ecb_.body = builder.finish();
  program_.clauses.push_back(std::move(ecb_));
  b_ = nullptr;
}

void Lowerer::begin_segment() {
  layout_ = {};
  fields_.clear();
  speculated_here_ = false;
  ended_speculations_.clear();
}

void Lowerer::end_segment() {
  b_->at(clause_->span);
  mark_speculative(*clause_);
  if (!layout_.actions.empty()) {
    if (world_.record_time) {
      field({record::FieldKind::kInt, 8, true}, b_->builtin(ir::Builtin::kWalltimestamp));
      layout_.has_time = true;
    }
    record::place_fields(layout_);
    b_->emit(fields_, static_cast<std::uint32_t>(ecb_.layouts.size()));
    ecb_.layouts.push_back(std::move(layout_));
  }
  free_speculations();
}

// An if whose branches record. The segment before it ends with its condition.
void Lowerer::recording_if(const Stmt& stmt) {
  b_->action(action_ + 1);
  b_->at(stmt.expr->span);
  const ValueId wanted = truth(stmt.expr);
  end_segment();
  const ir::BlockId join = b_->block();
  struct Branch {
    ir::BlockId begin, end = 0;
    std::optional<ValueId> speculation = {};
  };
  std::array<Branch, 2> branches = {{{b_->block()}, {b_->block()}}};
  b_->branch(wanted, branches[0].begin, branches[1].begin);
  const std::optional<ValueId> before = speculation_;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    b_->enter(branches[i].begin);
    speculation_ = before;
    if (i < stmt.body.size()) {
      begin_segment();
      statement(*stmt.body[i]);
      end_segment();
    }
    branches[i].end = b_->current();
    branches[i].speculation = speculation_;
  }
  const bool is_changed = branches[0].speculation != before || branches[1].speculation != before;
  for (const Branch& branch : branches) {
    b_->enter(branch.end);
    b_->jump(join, is_changed ? std::vector{speculation_or_none(branch.speculation)}
                              : std::vector<ValueId>{});
  }
  speculation_ = is_changed ? std::optional(b_->param(join, ir::Type::s32())) : before;
  b_->enter(join);
  begin_segment();
}

void Lowerer::statement(const Stmt& stmt) {
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
      return;
    case StmtKind::kIf:
      if (records(stmt)) {
        return recording_if(stmt);
      }
      break;
  }
  const ir::BlockId then = b_->block();
  const ir::BlockId join = b_->block();
  const ir::BlockId otherwise = stmt.body.size() > 1 ? b_->block() : join;
  b_->action(action_ + 1);
  condition(stmt.expr, then, otherwise);
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

// Evaluates for what it does, not for what it gives.
void Lowerer::effect(const Expr* e) {
  switch (e->kind) {
    case ExprKind::kAssign:
      if (e->args[0]->kind == ExprKind::kAggregation) {
        aggregate(e);
      } else {
        assign(e, false);
      }
      return;
    case ExprKind::kPostfix:
      increment(e, false);
      return;
    case ExprKind::kUnary:
      if (e->op == Op::kInc || e->op == Op::kDec) {
        increment(e, false);
        return;
      }
      break;
    case ExprKind::kComma:
      effect(e->args[0]);
      effect(e->args[1]);
      return;
    case ExprKind::kCall:
      if (e->symbol == Symbol::kAction) {
        action(e);
        return;
      }
      break;
    default:
      break;
  }
  if (rules_.is_string(e->type)) {
    string(e);
  } else if (rules_.is_scalar(e->type) || rules_.is_void(e->type)) {
    value(e);
  }
}

void Lowerer::condition(const Expr* e, ir::BlockId then, ir::BlockId otherwise) {
  if (!e->is_constant && e->kind == ExprKind::kBinary && e->op == Op::kLogAnd) {
    const ir::BlockId middle = b_->block();
    condition(e->args[0], middle, otherwise);
    b_->enter(middle);
    condition(e->args[1], then, otherwise);
  } else if (!e->is_constant && e->kind == ExprKind::kBinary && e->op == Op::kLogOr) {
    const ir::BlockId middle = b_->block();
    condition(e->args[0], then, middle);
    b_->enter(middle);
    condition(e->args[1], then, otherwise);
  } else if (!e->is_constant && e->kind == ExprKind::kUnary && e->op == Op::kNot) {
    condition(e->args[0], otherwise, then);
  } else {
    b_->branch(truth(e), then, otherwise);
  }
}

ir::Program lower(const std::vector<Unit>& units, const Checked& checked, front::World& world) {
  Lowerer lowerer(checked, world);
  lowerer.tables();
  for (const Unit& unit : units) {
    for (const Item& item : unit.items) {
      if (item.kind == Item::Kind::kClause) {
        lowerer.clause(unit.clauses[item.index]);
      }
    }
  }
  return lowerer.take();
}

}  // namespace dt::d
