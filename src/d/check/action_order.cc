// The order in which the actions of a clause may stand.

#include "d/check/action_order.h"

#include "d/meaning/function_table.h"

namespace dt::d {

// speculate() and commit() rule what may stand beside them.
void check_action_order(const std::vector<Stmt*>& body, Diagnostics& diagnostics) {
  bool speculated = false;
  bool committed = false;
  bool recorded = false;
  bool aggregated = false;
  for (const Stmt* stmt : body) {
    if (stmt->kind != StmtKind::kExpr) {
      continue;
    }
    const Expr* e = stmt->expr;
    if (e->kind == ExprKind::kAssign && e->args[0]->kind == ExprKind::kAggregation) {
      if (speculated) {
        diagnostics.error("D_AGG_SPEC", e->span, "aggregating actions may not follow speculate( )");
      } else if (committed) {
        diagnostics.error("D_AGG_COMM", e->span, "aggregating actions may not follow commit( )");
      }
      aggregated = true;
      continue;
    }
    const FunctionInfo* info = e->kind == ExprKind::kCall ? find_function(e->text) : nullptr;
    if (info == nullptr || info->kind != FunctionKind::kAction) {
      continue;
    }
    switch (info->fn) {
      case Fn::kSpeculate:
        if (speculated) {
          diagnostics.error("D_SPEC_SPEC", e->span, "speculate( ) may not follow speculate( )");
        } else if (committed) {
          diagnostics.error("D_SPEC_COMM", e->span, "speculate( ) may not follow commit( )");
        } else if (recorded || aggregated) {
          diagnostics.error("D_SPEC_DREC", e->span,
                            "speculate( ) may not follow data-recording action(s)");
        }
        speculated = true;
        break;
      case Fn::kCommit:
        if (committed) {
          diagnostics.error("D_COMM_COMM", e->span, "commit( ) may not follow commit( )");
        } else if (recorded || aggregated) {
          diagnostics.error("D_COMM_DREC", e->span,
                            "commit( ) may not follow data-recording action(s)");
        }
        committed = true;
        break;
      case Fn::kDiscard:
        break;
      case Fn::kExit:
        if (speculated) {
          diagnostics.error("D_EXIT_SPEC", e->span, "exit( ) may not follow speculate( )");
        } else if (committed) {
          diagnostics.error("D_DREC_COMM", e->span,
                            "data-recording actions may not follow commit( )");
        }
        recorded = true;
        break;
      case Fn::kStop:
      case Fn::kRaise:
      case Fn::kSystem:
      case Fn::kBreakpoint:
      case Fn::kPanic:
      case Fn::kChill:
        if (speculated) {
          diagnostics.error("D_ACT_SPEC", e->span,
                            "destructive actions may not follow speculate( )");
        }
        break;
      default:
        if (committed) {
          diagnostics.error("D_DREC_COMM", e->span,
                            "data-recording actions may not follow commit( )");
        }
        recorded = true;
        break;
    }
  }
}

}  // namespace dt::d
