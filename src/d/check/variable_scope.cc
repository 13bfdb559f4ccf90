#include "d/check/variable_scope.h"

#include "support/check.h"

namespace dt::d {

const char* prefix_of(ir::Scope scope) {
  return scope == ir::Scope::kThread ? "self->" : scope == ir::Scope::kClause ? "this->" : "";
}

std::string shown(const Expr* e, ir::Scope scope) { return prefix_of(scope) + e->text; }

Symbol symbol_of(ir::Scope scope) {
  switch (scope) {
    case ir::Scope::kGlobal:
      return Symbol::kGlobal;
    case ir::Scope::kThread:
      return Symbol::kThread;
    case ir::Scope::kClause:
      return Symbol::kClause;
  }
  DT_UNREACHABLE();
}

bool is_variable_node(const Expr* e) {
  return e->kind == ExprKind::kIdent || e->kind == ExprKind::kThreadVar ||
         e->kind == ExprKind::kClauseVar;
}

ir::Scope scope_of(const Expr* e) {
  return e->kind == ExprKind::kThreadVar   ? ir::Scope::kThread
         : e->kind == ExprKind::kClauseVar ? ir::Scope::kClause
                                           : ir::Scope::kGlobal;
}

}  // namespace dt::d
