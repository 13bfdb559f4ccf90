#include "d/check/clauses.h"

#include <fmt/core.h>

#include "d/check/action_order.h"
#include "d/check/context.h"
#include "d/check/names.h"
#include "d/check/pragmas.h"
#include "d/check/predicate_order.h"
#include "d/check/probe_arguments.h"
#include "d/check/scope.h"
#include "d/check/stability.h"
#include "d/check/tables.h"
#include "d/check/translators.h"
#include "d/check/type_names.h"
#include "d/check/undefined_names.h"
#include "d/check/wording.h"
#include "d/meaning/function_table.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::d {

namespace {

// Whether an expression is an action, or a ?: with one in a branch.
bool acts(const Expr* e) {
  if (e->kind == ExprKind::kAssign) {
    return e->args[0]->kind == ExprKind::kAggregation;
  }
  if (e->kind == ExprKind::kTernary) {
    return acts(e->args[1]) || acts(e->args[2]);
  }
  if (e->kind != ExprKind::kCall) {
    return false;
  }
  const FunctionInfo* info = find_function(e->text);
  return info != nullptr && info->kind == FunctionKind::kAction;
}

}  // namespace

void Clauses::check(Clause& clause) {
  // A text that is checked again has had its errors reported.
  if (clause.is_again && !is_right_) {
    return;
  }
  const std::size_t errors = diagnostics_.total();
  check_first(clause, errors);
  is_right_ = diagnostics_.total() == errors;
}

void Clauses::check_first(Clause& clause, std::size_t errors) {
  const bool wants_stability = world_.want_stability || world_.minimum;
  const std::size_t place = wants_stability ? tables_.add_stability() : 0;
  scope_.clause = &clause;
  probe_arguments_.begin_clause();
  const bool is_first =
      clause.predicate != nullptr &&
      is_predicate_first(clause, [this](const Expr* name) { return names_.is_new(name); });
  if (is_first) {
    predicate(clause);
  }
  actions(clause);
  if (clause.predicate != nullptr && !is_first) {
    if (must_wait(clause)) {
      waiting_.push_back({&clause, place});
      scope_.clause = nullptr;
      return;
    }
    predicate(clause);
  }
  if (wants_stability && diagnostics_.total() == errors) {
    stability(clause, place);
  }
  scope_.clause = nullptr;
}

void Clauses::check_waiting() {
  for (const Waiting& one : waiting_) {
    if (one.clause->is_again && !is_right_) {
      continue;
    }
    const std::size_t errors = diagnostics_.total();
    scope_.clause = one.clause;
    probe_arguments_.begin_clause();
    predicate(*one.clause);
    is_right_ = diagnostics_.total() == errors;
    if ((world_.want_stability || world_.minimum) && !diagnostics_.any()) {
      stability(*one.clause, one.stability);
    }
  }
  waiting_.clear();
  scope_.clause = nullptr;
}

void Clauses::actions(Clause& clause) {
  diagnostics_.set_region("action list");
  for (Stmt* stmt : clause.body) {
    statement(stmt);
  }
  const std::size_t errors = diagnostics_.total();
  check_action_order(clause.body, diagnostics_);
  if (diagnostics_.total() == errors) {
    refuse_impossible(clause.body, diagnostics_);
  }
  diagnostics_.set_region("");
}

void Clauses::predicate(const Clause& clause) {
  diagnostics_.set_region("predicate");
  condition(clause.predicate, "predicate result");
  diagnostics_.set_region("");
}

// Whether the predicate reads a variable that is made nowhere yet, but by a later clause.
bool Clauses::must_wait(const Clause& clause) {
  return first_read(clause.predicate, [this](const Expr* name) {
           return names_.is_new(name) && undefined_.is_assigned(name);
         }) != nullptr;
}

void Clauses::stability(const Clause& clause, std::size_t place) {
  tables_.set_stability(
      place,
      StabilityChecker(clause, pragmas_.stability(), sources_, world_, diagnostics_).of_clause());
}

void Clauses::condition(Expr* e, const char* what) {
  const std::size_t errors = diagnostics_.total();
  scope_.misplaced = nullptr;
  expr(e);
  if (!bad(e) && !rules_.is_condition(e->type)) {
    error("D_PRED_SCALAR", e->span,
          fmt::format("{} must be of scalar type, not \"{}\"", what, type_name(e)))
        .hint = comparison_hint(e);
  }
  refuse_misplaced(errors);
  give_back(e);
}

// Errors in a branch that a constant condition excludes are not reported. If such an error is the
// only report of its cause, and another expression depends on it, it is reported now.
void Clauses::give_back(const Expr* e) {
  if (!bad(e) || diagnostics_.any()) {
    return;
  }
  for (const Diagnostic& one : said_.taken_back) {
    Diagnostic& d = error(one.tag, one.span, one.text);
    d.notes = one.notes;
    d.hint = one.hint;
  }
}

// What is within a whole expression and has no value is refused by what holds it, which has been
// reported if there are more than so many errors; where nothing refuses it, it is refused here.
void Clauses::refuse_misplaced(std::size_t errors) {
  const Expr* const misplaced = scope_.misplaced;
  if (misplaced == nullptr) {
    return;
  }
  const bool is_aggregation = misplaced->kind == ExprKind::kAggregation;
  if (is_aggregation) {
    diagnostics_.note_since(errors, misplaced->span,
                            "the value of an aggregation exists in its consumer only: printa() "
                            "prints it");
  }
  if (diagnostics_.total() != errors) {
    return;
  }
  const FunctionInfo* info = find_function(misplaced->text);
  if (is_aggregation && !tables_.find_aggregation(misplaced->text)) {
    error("D_AGG_NULL", misplaced->span,
          fmt::format("undefined aggregation: @{}", shown_name(misplaced->text)));
  } else if (is_aggregation) {
    error("D_AGG_SCALAR", misplaced->span,
          fmt::format("aggregation @{} may not be used as a value", shown_name(misplaced->text)))
        .hint = "the value of an aggregation exists in its consumer only: use printa()";
  } else if (info != nullptr) {
    const bool is_action = info->kind == FunctionKind::kAction;
    error("D_CG_EXPR", misplaced->span,
          fmt::format("{} {}( ) may not be called from a D expression (D program context required)",
                      is_action ? "action" : "aggregating function", misplaced->text))
        .hint = is_action ? "an action is a statement of its own"
                          : fmt::format("write @ = {}(...)", misplaced->text);
  }
}

void Clauses::statement(Stmt* stmt) {
  if (diagnostics_.full()) {
    return;
  }
  switch (stmt->kind) {
    case StmtKind::kEmpty:
      return;
    case StmtKind::kExpr:
      expression_statement(stmt);
      return;
    case StmtKind::kIf:
      condition(stmt->expr, "condition of if");
      break;
    case StmtKind::kBlock:
      break;
  }
  for (Stmt* inner : stmt->body) {
    statement(inner);
  }
}

void Clauses::expression_statement(Stmt* stmt) {
  if (void_ternary(stmt)) {
    statement(stmt);
    return;
  }
  Expr* e = stmt->expr;
  if (e->kind == ExprKind::kAggregation) {
    error("D_AGG_NULL", e->span,
          fmt::format("expression has null effect: @{} must be assigned an aggregating function",
                      e->text));
    return;
  }
  const std::size_t errors = diagnostics_.total();
  scope_.misplaced = nullptr;
  expr(e, {.statement = true, .translation = true});
  refuse_misplaced(errors);
  give_back(e);
  if (!bad(e) && e->translation != 0) {
    error("D_CG_DYN", e->span, "expression cannot evaluate to result of dynamic type").hint =
        translators_.member_hint(e);
  }
}

// `quiet ? 1 : trace(2)` as a statement is an if with an else.
bool Clauses::void_ternary(Stmt* stmt) {
  Expr* e = stmt->expr;
  if (e->kind != ExprKind::kTernary || !acts(e)) {
    return false;
  }
  stmt->kind = StmtKind::kIf;
  stmt->expr = e->args[0];
  for (std::size_t i = 1; i <= 2; ++i) {
    Stmt* branch = arena_.stmt();
    branch->kind = StmtKind::kExpr;
    branch->span = e->args[i]->span;
    branch->expr = e->args[i];
    stmt->body.push_back(branch);
  }
  return true;
}

}  // namespace dt::d
