// See bad_variables.h. stap/events/settle.h makes the choice, for each probe of a handler.

#include "stap/events/bad_variables.h"

#include <utility>

namespace dt::stap {
namespace {

bool asks_itself(const Expr& expr) {
  return expr.kind == ExprKind::kAtOperator &&
         (expr.text == "@defined" || expr.text == "@choose_defined");
}

void choose(ExprPtr& expr) {
  auto instead = std::make_unique<Expr>();
  instead->kind = expr->pretty > 0 ? ExprKind::kString : ExprKind::kNumber;
  auto whole = std::make_unique<Expr>();
  whole->kind = ExprKind::kAtOperator;
  whole->text = "@choose_defined";
  whole->span = instead->span = expr->span;
  whole->place = instead->place = expr->place;
  whole->kids.push_back(std::move(expr));
  whole->kids.push_back(std::move(instead));
  expr = std::move(whole);
}

}  // namespace

void skip_bad_variables(ExprPtr& expr) {
  if (expr == nullptr) return;
  for (Part& part : expr->parts) skip_bad_variables(part.index);
  const bool has_place = expr->kind == ExprKind::kAssign || expr->kind == ExprKind::kIncrement;
  for (std::size_t i = 0; i < expr->kids.size(); ++i) {
    const bool is_place = has_place && i == 0 && expr->kids[0]->kind == ExprKind::kTarget;
    const bool is_question = i == 0 && asks_itself(*expr);
    if (!is_place && !is_question) skip_bad_variables(expr->kids[i]);
  }
  if (expr->kind == ExprKind::kTarget && !expr->text.starts_with("$$")) choose(expr);
}

void skip_bad_variables(Stmt& body) {
  for (ExprPtr* const one : {&body.init, &body.expr, &body.step, &body.limit}) {
    skip_bad_variables(*one);
  }
  for (ExprPtr& one : body.slice) skip_bad_variables(one);
  for (const StmtPtr& one : body.body) skip_bad_variables(*one);
}

}  // namespace dt::stap
