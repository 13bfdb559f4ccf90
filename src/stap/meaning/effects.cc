// See effects.h.

#include "stap/meaning/effects.h"

#include <algorithm>

#include "stap/meaning/functions.h"

namespace dt::stap {
namespace {

// Whether an expression does nothing but give a value.
bool is_pure(const Expr& expr) {
  const bool is_effect =
      expr.kind == ExprKind::kAssign || expr.kind == ExprKind::kIncrement ||
      (expr.kind == ExprKind::kCall &&
       (expr.builtin < 0 || info(static_cast<Fn>(expr.builtin)).where == Where::kEffect));
  return !is_effect && std::all_of(expr.kids.begin(), expr.kids.end(), [](const ExprPtr& kid) {
    return kid == nullptr || is_pure(*kid);
  });
}

// `x = value` of a variable that nothing reads.
bool is_unused(const Stmt& stmt, const Handler& handler) {
  if (stmt.kind != StmtKind::kExpr || stmt.expr->kind != ExprKind::kAssign ||
      stmt.expr->text != "=" || stmt.expr->kids[0]->kind != ExprKind::kName) {
    return false;
  }
  const Symbol* const symbol = stmt.expr->kids[0]->symbol;
  const bool is_local = std::any_of(handler.locals.begin(), handler.locals.end(),
                                    [&](const auto& one) { return one.get() == symbol; });
  return is_local && !symbol->is_read && is_pure(*stmt.expr->kids[1]);
}

bool writes_name(const Expr& expr, const std::string& name) {
  const bool changes = expr.kind == ExprKind::kAssign || expr.kind == ExprKind::kIncrement;
  if (changes && expr.kids[0]->kind == ExprKind::kName && expr.kids[0]->text == name) return true;
  return std::any_of(expr.kids.begin(), expr.kids.end(),
                     [&](const ExprPtr& kid) { return kid != nullptr && writes_name(*kid, name); });
}

}  // namespace

std::size_t drop_unread(Stmt& stmt, const Handler& handler) {
  std::size_t removed = 0;
  for (const StmtPtr& one : stmt.body) {
    if (is_unused(*one, handler)) {
      one->kind = StmtKind::kEmpty;
      one->expr = nullptr;
      ++removed;
    } else {
      removed += drop_unread(*one, handler);
    }
  }
  return removed;
}

bool writes(const Stmt& stmt, const std::string& name) {
  for (const ExprPtr* const one : {&stmt.expr, &stmt.init, &stmt.step, &stmt.limit}) {
    if (*one != nullptr && writes_name(**one, name)) return true;
  }
  return std::any_of(stmt.body.begin(), stmt.body.end(),
                     [&](const StmtPtr& one) { return writes(*one, name); });
}

}  // namespace dt::stap
