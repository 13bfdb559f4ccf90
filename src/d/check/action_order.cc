// The order in which the actions of a clause may stand, and the actions that stand for nothing
// here.

#include "d/check/action_order.h"

#include "d/meaning/function_table.h"

namespace dt::d {
namespace {

void report_destructive(Span span, Diagnostics& diagnostics) {
  diagnostics.error("D_ACT_SPEC", span, "destructive actions may not follow speculate( )");
}

// The function that e calls; nullptr where it is no call, or of an unknown function.
const FunctionInfo* called_by(const Expr& e) {
  return e.kind == ExprKind::kCall ? find_function(e.text) : nullptr;
}

// Whether the consumer carries the action out when it reads the record. The record of a speculation
// is read at commit(), or never.
bool is_late(const Expr& e) {
  const FunctionInfo* const info = called_by(e);
  return info != nullptr &&
         (info->fn == Fn::kSystem || info->fn == Fn::kFreopen || info->fn == Fn::kFtruncate);
}

bool is_destructive_subroutine(const Expr& e) {
  const FunctionInfo* const info = called_by(e);
  return info != nullptr && (info->fn == Fn::kCopyout || info->fn == Fn::kCopyoutstr);
}

// What acts in the probe itself - exit(), aggregations, stop() - does so in the branches of an `if`
// with and without a speculation. copyout() is no action of a record: it may stand in any place.
void check_branches(const Stmt& stmt, Diagnostics& diagnostics) {
  if (stmt.kind == StmtKind::kExpr && is_destructive_subroutine(*stmt.expr)) {
    report_destructive(stmt.expr->span, diagnostics);
  }
  for (const Stmt* inner : stmt.body) {
    if (inner->kind == StmtKind::kExpr && is_late(*inner->expr)) {
      report_destructive(inner->expr->span, diagnostics);
    }
    check_branches(*inner, diagnostics);
  }
}

// What has been seen of a clause, and what may follow it.
class ActionOrder {
 public:
  explicit ActionOrder(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  bool has_speculated() const { return has_speculated_; }

  void aggregate(const Expr& e) {
    if (has_speculated_) {
      error("D_AGG_SPEC", e, "aggregating actions may not follow speculate( )");
    } else if (has_committed_) {
      error("D_AGG_COMM", e, "aggregating actions may not follow commit( )");
    }
    has_aggregated_ = true;
  }

  void act(const Expr& e, Fn fn) {
    switch (fn) {
      case Fn::kSpeculate:
        speculate(e);
        break;
      case Fn::kCommit:
        commit(e);
        break;
      case Fn::kDiscard:
        break;
      case Fn::kExit:
        if (has_speculated_) {
          error("D_EXIT_SPEC", e, "exit( ) may not follow speculate( )");
          has_recorded_ = true;
        } else {
          record(e);
        }
        break;
      case Fn::kStop:
      case Fn::kRaise:
      case Fn::kSystem:
      case Fn::kBreakpoint:
      case Fn::kPanic:
      case Fn::kChill:
      case Fn::kFreopen:
      case Fn::kFtruncate:
        if (has_speculated_) {
          report_destructive(e.span, diagnostics_);
        }
        break;
      default:
        record(e);
        break;
    }
  }

 private:
  void speculate(const Expr& e) {
    if (has_speculated_) {
      error("D_SPEC_SPEC", e, "speculate( ) may not follow speculate( )");
    } else if (has_committed_) {
      error("D_SPEC_COMM", e, "speculate( ) may not follow commit( )");
    } else if (has_recorded_ || has_aggregated_) {
      error("D_SPEC_DREC", e, "speculate( ) may not follow data-recording action(s)");
    }
    has_speculated_ = true;
  }

  void commit(const Expr& e) {
    if (has_committed_) {
      error("D_COMM_COMM", e, "commit( ) may not follow commit( )");
    } else if (has_recorded_ || has_aggregated_) {
      error("D_COMM_DREC", e, "commit( ) may not follow data-recording action(s)");
    }
    has_committed_ = true;
  }

  void record(const Expr& e) {
    if (has_committed_) {
      error("D_DREC_COMM", e, "data-recording actions may not follow commit( )");
    }
    has_recorded_ = true;
  }

  void error(const char* tag, const Expr& e, const char* text) {
    diagnostics_.error(tag, e.span, text);
  }

  Diagnostics& diagnostics_;
  bool has_speculated_ = false, has_committed_ = false, has_recorded_ = false,
       has_aggregated_ = false;
};

}  // namespace

bool is_impossible(Fn fn) { return fn == Fn::kPanic || fn == Fn::kBreakpoint; }

void refuse_impossible(const std::vector<Stmt*>& body, Diagnostics& diagnostics) {
  for (const Stmt* stmt : body) {
    refuse_impossible(stmt->body, diagnostics);
    const Expr* const e = stmt->kind == StmtKind::kExpr ? stmt->expr : nullptr;
    const FunctionInfo* const info = e != nullptr ? called_by(*e) : nullptr;
    if (info == nullptr || !is_impossible(info->fn) || !e->args.empty()) {
      continue;  // with arguments it has been refused for them
    }
    const bool is_panic = info->fn == Fn::kPanic;
    diagnostics
        .error("D_UNKNOWN", e->name_span.end != 0 ? e->name_span : e->span,
               is_panic ? "action panic( ) cannot be done: no BPF program may bring the kernel down"
                        : "action breakpoint( ) cannot be done: no BPF program may stop the kernel")
        .hint = is_panic
                    ? "system(\"echo c >/proc/sysrq-trigger\") does so from dtrace itself, with -w"
                    : "stop() stops the process, with -w";
  }
}

// speculate() and commit() rule what may stand beside them.
void check_action_order(const std::vector<Stmt*>& body, Diagnostics& diagnostics) {
  ActionOrder order(diagnostics);
  for (const Stmt* stmt : body) {
    if (order.has_speculated()) {
      check_branches(*stmt, diagnostics);
    }
    if (stmt->kind != StmtKind::kExpr) {
      continue;
    }
    const Expr& e = *stmt->expr;
    if (e.kind == ExprKind::kAssign && e.args[0]->kind == ExprKind::kAggregation) {
      order.aggregate(e);
      continue;
    }
    const FunctionInfo* info = called_by(e);
    if (info != nullptr && info->kind == FunctionKind::kAction) {
      order.act(e, info->fn);
    }
  }
}

}  // namespace dt::d
