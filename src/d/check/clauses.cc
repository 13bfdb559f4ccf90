#include "d/check/clauses.h"

#include <fmt/core.h>

#include "d/check/action_order.h"
#include "d/check/array_place.h"
#include "d/check/pragmas.h"
#include "d/check/probe_arguments.h"
#include "d/check/scope.h"
#include "d/check/stability.h"
#include "d/check/tables.h"
#include "d/check/translators.h"
#include "d/check/type_names.h"
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
  const std::size_t errors = diagnostics_.total();
  scope_.clause = &clause;
  probe_arguments_.begin_clause();
  ArrayPlaces arrays(sources_, world_.types, diagnostics_);
  if (clause.predicate != nullptr) {
    diagnostics_.set_region("predicate");
    predicate(clause.predicate);
    arrays.expression(clause.predicate, false);
  }
  diagnostics_.set_region("action list");
  check_action_order(clause.body, diagnostics_);
  for (Stmt* stmt : clause.body) {
    statement(stmt);
  }
  for (const Stmt* stmt : clause.body) {
    arrays.statement(*stmt);
  }
  if (diagnostics_.total() == errors && (world_.want_stability || world_.minimum)) {
    tables_.add_stability(StabilityChecker(clause, pragmas_.stability(), types_.defined(), sources_,
                                           world_, diagnostics_)
                              .of_clause());
  }
  diagnostics_.set_region("");
  scope_.clause = nullptr;
}

void Clauses::predicate(Expr* e) {
  value_of(e);
  if (!bad(e) && !rules_.is_scalar(e->type)) {
    error("D_PRED_SCALAR", e->span,
          fmt::format("predicate result must be of scalar type, not \"{}\"", type_name(e)))
        .hint = comparison_hint(e);
  }
}

// What to write where a number is wanted; "" for what is no string.
std::string Clauses::comparison_hint(const Expr* e) const {
  if (!rules_.is_string(e->type)) {
    return "";
  }
  return fmt::format("compare it: {} != {}", sources_.text(e->span),
                     e->kind == ExprKind::kCall ? "NULL" : "\"\"");
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
      value_of(stmt->expr);
      if (!bad(stmt->expr) && !rules_.is_scalar(stmt->expr->type)) {
        error("D_PRED_SCALAR", stmt->expr->span,
              fmt::format("condition of if must be of scalar type, not \"{}\"",
                          type_name(stmt->expr)))
            .hint = comparison_hint(stmt->expr);
      }
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
  expr(e, {.statement = true, .translation = true});
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
