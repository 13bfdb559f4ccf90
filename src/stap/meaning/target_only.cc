// See target_only.h.

#include "stap/meaning/target_only.h"

#include <algorithm>
#include <set>

#include "stap/meaning/functions.h"

namespace dt::stap {
namespace {

class TargetOnly {
 public:
  bool holds(const Handler& handler) {
    if (handler.condition != nullptr) {
      if (tests(*handler.condition, "&&", "==")) return true;
      if (!is_harmless(*handler.condition)) return false;
    }
    return scan(*handler.body, true) == Found::kTest;
  }

 private:
  enum class Found { kNothing, kTest, kEffect };

  static bool is_builtin(const Expr& expr, Fn fn) {
    return expr.kind == ExprKind::kCall && expr.function == nullptr &&
           expr.builtin == static_cast<int>(fn);
  }

  // pid() == target(), or with !=.
  static bool is_test(const Expr& expr, std::string_view op) {
    if (expr.kind != ExprKind::kBinary || expr.text != op) return false;
    const Expr &a = *expr.kids[0], &b = *expr.kids[1];
    return (is_builtin(a, Fn::pid) && is_builtin(b, Fn::target)) ||
           (is_builtin(a, Fn::target) && is_builtin(b, Fn::pid));
  }

  // Whether the test decides `a && b && c`, or `a || b || c`, before anything in it has an effect.
  bool tests(const Expr& expr, std::string_view joint, std::string_view op) {
    if (is_test(expr, op)) return true;
    if (expr.kind != ExprKind::kBinary || expr.text != joint) return false;
    return tests(*expr.kids[0], joint, op) ||
           (is_harmless(*expr.kids[0]) && tests(*expr.kids[1], joint, op));
  }

  bool is_local(const Expr& place) const {
    return place.kind == ExprKind::kName && place.symbol != nullptr && !place.symbol->is_global;
  }

  bool is_harmless(const Expr& expr) {
    const bool changes = expr.kind == ExprKind::kAssign || expr.kind == ExprKind::kIncrement;
    if (changes && !is_local(*expr.kids[0])) return false;
    if (expr.text == "=~" || expr.text == "!~") return false;  // matched() remembers it
    if (expr.kind == ExprKind::kCall && !is_harmless_call(expr)) return false;
    const auto is_good = [&](const ExprPtr& kid) { return kid == nullptr || is_harmless(*kid); };
    return std::all_of(expr.kids.begin(), expr.kids.end(), is_good) &&
           std::all_of(expr.parts.begin(), expr.parts.end(),
                       [&](const Part& part) { return is_good(part.index); });
  }

  bool is_harmless_call(const Expr& expr) {
    if (expr.function == nullptr) {
      if (expr.builtin < 0) return expr.leaf >= 0;
      const Fn fn = static_cast<Fn>(expr.builtin);
      const FunctionInfo& what = info(fn);
      return what.where != Where::kEffect && what.result != '-' && fn != Fn::tokenize &&
             fn != Fn::speculation;
    }
    for (const Function* one = expr.function; one != nullptr; one = one->following) {
      if (seen_.insert(one).second && !is_harmless(*one->body)) return false;
    }
    return true;
  }

  // Of a function that is called.
  bool is_harmless(const Stmt& stmt) {
    const bool is_known = stmt.kind == StmtKind::kEmpty || stmt.kind == StmtKind::kExpr ||
                          stmt.kind == StmtKind::kBlock || stmt.kind == StmtKind::kIf ||
                          stmt.kind == StmtKind::kReturn;
    return is_known && (stmt.expr == nullptr || is_harmless(*stmt.expr)) &&
           std::all_of(stmt.body.begin(), stmt.body.end(),
                       [&](const StmtPtr& one) { return one == nullptr || is_harmless(*one); });
  }

  static bool is_next(const Stmt& stmt) {
    if (stmt.kind == StmtKind::kBlock && stmt.body.size() == 1) return is_next(*stmt.body[0]);
    return stmt.kind == StmtKind::kNext;
  }
  static bool is_empty(const Stmt& stmt) {
    if (stmt.kind == StmtKind::kEmpty) return true;
    return stmt.kind == StmtKind::kBlock &&
           std::all_of(stmt.body.begin(), stmt.body.end(),
                       [](const StmtPtr& one) { return is_empty(*one); });
  }

  Found scan(const Stmt& stmt, bool is_last) {
    switch (stmt.kind) {
      case StmtKind::kEmpty:
      case StmtKind::kNext:
        return Found::kNothing;
      case StmtKind::kExpr:
        return is_harmless(*stmt.expr) ? Found::kNothing : Found::kEffect;
      case StmtKind::kIf:
        return scan_if(stmt, is_last);
      case StmtKind::kBlock:
        break;
      default:
        return Found::kEffect;
    }
    for (auto one = stmt.body.begin(); one != stmt.body.end(); ++one) {
      const bool is_end = std::all_of(one + 1, stmt.body.end(),
                                      [](const StmtPtr& later) { return is_empty(*later); });
      const Found found = scan(**one, is_last && is_end);
      if (found != Found::kNothing) return found;
    }
    return Found::kNothing;
  }

  Found scan_if(const Stmt& stmt, bool is_last) {
    const bool has_else = stmt.body.size() > 1 && stmt.body[1] != nullptr;
    if (is_next(*stmt.body[0]) && tests(*stmt.expr, "||", "!=")) return Found::kTest;
    if (is_last && !has_else && tests(*stmt.expr, "&&", "==")) return Found::kTest;
    if (!is_harmless(*stmt.expr)) return Found::kEffect;
    for (const StmtPtr& one : stmt.body) {
      if (one != nullptr && scan(*one, false) != Found::kNothing) return Found::kEffect;
    }
    return Found::kNothing;
  }

  std::set<const Function*> seen_;
};

}  // namespace

void find_target_only(Program& program) {
  if (program.around.target == 0 || program.is_timed) return;
  for (Handler& handler : program.handlers) {
    if (handler.kind != HandlerKind::kEvent || handler.is_entry) continue;
    if (!TargetOnly().holds(handler)) continue;
    for (Event& event : handler.events) event.whose.only = program.around.target;
    if (handler.entry < 0) continue;
    Handler& entry = program.handlers[static_cast<std::size_t>(handler.entry)];
    for (Event& event : entry.events) event.whose.only = program.around.target;
  }
}

}  // namespace dt::stap
