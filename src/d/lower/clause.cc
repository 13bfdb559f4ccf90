// Programs, clauses and statements.

#include <algorithm>

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

// Whether an if has an action within, at any depth.
bool records_in_branch(const Stmt& stmt) {
  if (stmt.kind == StmtKind::kIf) {
    return records(stmt);
  }
  return std::any_of(stmt.body.begin(), stmt.body.end(),
                     [](const Stmt* inner) { return records_in_branch(*inner); });
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

std::uint32_t Lowerer::hidden_variable(const char* name) {
  program_.variables.push_back(
      {fmt::format("%{}_{}", name, ++hidden_), ir::Scope::kClause, ir::Type::s32(), {}});
  return static_cast<std::uint32_t>(program_.variables.size() - 1);
}

// Cuts the statements before and after every branch that records.
void Lowerer::split(const std::vector<Stmt*>& body, const std::vector<Guard>& guards,
                    std::vector<Part>& parts) {
  for (const Stmt* stmt : body) {
    if (!records_in_branch(*stmt)) {
      parts.back().steps.push_back({stmt, std::nullopt});
      continue;
    }
    if (stmt->kind == StmtKind::kBlock) {
      split(stmt->body, guards, parts);
      continue;
    }
    const std::uint32_t variable = hidden_variable("condition");
    parts.back().steps.push_back({stmt, variable});
    for (std::size_t branch = 0; branch < stmt->body.size(); ++branch) {
      std::vector<Guard> inner = guards;
      inner.push_back({variable, branch == 0});
      parts.push_back({inner, {}});
      split({stmt->body[branch]}, inner, parts);
    }
    parts.push_back({guards, {}});
  }
}

void Lowerer::clause(const Clause& clause) {
  std::vector<Part> parts(1);
  split(clause.body, {}, parts);
  const bool is_first_needed = !parts.front().steps.empty() || parts.size() == 1;
  parts.erase(std::remove_if(parts.begin() + (is_first_needed ? 1 : 0), parts.end(),
                             [](const Part& one) { return one.steps.empty(); }),
              parts.end());
  const std::uint32_t step = parts.size() > 1 ? hidden_variable("step") : ir::kNone;
  plan_speculation(clause, parts.size());
  action_ = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    part(clause, parts, i, step);
  }
}

void Lowerer::part(const Clause& clause, const std::vector<Part>& parts, std::size_t index,
                   std::uint32_t step_variable) {
  ir::FunctionBuilder builder;
  b_ = &builder;
  layout_ = {};
  fields_.clear();
  const Part& part = parts[index];
  const ir::BlockId out = builder.block();
  const bool is_split = parts.size() > 1;
  builder.at(clause.span);
  if (index == 0 && clause.predicate != nullptr) {
    builder.action(0);
    const ir::BlockId body = builder.block();
    condition(clause.predicate, body, out);
    builder.enter(body);
  } else if (index > 0) {
    // Only when the part before this one came to its end.
    const ir::BlockId body = builder.block();
    const ValueId step = builder.load(step_variable, ir::Type::s32());
    builder.branch(
        builder.binary(ir::Op::kEq, step, builder.constant(static_cast<std::int64_t>(index)),
                       ir::Type::s32()),
        body, out);
    builder.enter(body);
  }
  if (is_split && index + 1 < parts.size() && !part.guards.empty()) {
    // A branch that is not taken is passed over.
    const ir::BlockId skipped = builder.block();
    const ir::BlockId last = builder.current();
    builder.enter(skipped);
    store(step_variable, {}, builder.constant(static_cast<std::int64_t>(index + 1)));
    builder.jump(out);
    builder.enter(last);
    for (const Guard& guard : part.guards) {
      const ir::BlockId next = builder.block();
      const ValueId held = builder.load(guard.variable, ir::Type::s32());
      builder.branch(held, guard.wanted ? next : skipped, guard.wanted ? skipped : next);
      builder.enter(next);
    }
  } else {
    for (const Guard& guard : part.guards) {
      const ir::BlockId next = builder.block();
      const ValueId held = builder.load(guard.variable, ir::Type::s32());
      builder.branch(held, guard.wanted ? next : out, guard.wanted ? out : next);
      builder.enter(next);
    }
  }
  enter_speculation(index == 0);
  for (const Step& step : part.steps) {
    if (step.condition) {
      builder.action(action_ + 1);
      builder.at(step.stmt->expr->span);
      store(*step.condition, {}, convert(truth(step.stmt->expr), ir::Type::s32()));
    } else {
      statement(*step.stmt);
    }
  }
  builder.at(clause.span);
  if (is_split && index + 1 < parts.size()) {
    store(step_variable, {}, builder.constant(static_cast<std::int64_t>(index + 1)));
  }
  const bool is_empty = !is_split && !has_statement(clause.body);
  finish_part(clause, is_empty);
  builder.jump(out);
  builder.enter(out);
  builder.ret();
  program_.clauses.back().body = builder.finish();
  b_ = nullptr;
}

void Lowerer::finish_part(const Clause& clause, bool is_empty) {
  if (is_empty) {
    record::Action row;
    row.kind = record::ActionKind::kDefault;
    row.span = clause.span;
    layout_.actions.push_back(row);
  }
  mark_speculative(clause);
  ir::EcbDesc ecb;
  for (const ProbeSpec& spec : clause.probes) {
    ecb.patterns.push_back(spec.text);
    ecb.pattern_spans.push_back(spec.span);
  }
  ecb.span = clause.span;
  ecb.records = !layout_.actions.empty();
  if (ecb.records) {
    if (world_.record_time) {
      field({record::FieldKind::kInt, 8, true}, b_->builtin(ir::Builtin::kWalltimestamp));
      layout_.has_time = true;
    }
    record::place_fields(layout_);
    b_->emit(fields_);
  }
  free_speculations();
  ecb.layout = std::move(layout_);
  program_.clauses.push_back(std::move(ecb));
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
