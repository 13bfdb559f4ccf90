// See effects.h.

#include "stap/meaning/effects.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "stap/meaning/functions.h"

namespace dt::stap {
namespace {

// What does nothing but give a value.
class Purity {
 public:
  bool holds(const Expr& expr) {
    if (expr.kind == ExprKind::kAssign || expr.kind == ExprKind::kIncrement) {
      const Symbol* const symbol = expr.kids[0]->symbol;
      const bool is_local = within_ > 0 && expr.kids[0]->kind == ExprKind::kName &&
                            symbol != nullptr && !symbol->is_global;
      if (!is_local) return false;
    }
    if (expr.kind == ExprKind::kCall && !is_pure_call(expr)) return false;
    return std::all_of(expr.kids.begin(), expr.kids.end(),
                       [this](const ExprPtr& kid) { return kid == nullptr || holds(*kid); });
  }

 private:
  bool is_pure_call(const Expr& expr) {
    if (expr.builtin >= 0) return info(static_cast<Fn>(expr.builtin)).where != Where::kEffect;
    if (expr.function == nullptr) return false;
    for (const Function* one = expr.function; one != nullptr; one = one->following) {
      const bool is_known = !one->is_embedded && one->body != nullptr && seen_.insert(one).second;
      if (!is_known) return false;
      ++within_;
      const bool is_pure = holds(*one->body);
      --within_;
      seen_.erase(one);
      if (!is_pure) return false;
    }
    return true;
  }

  // Of a function; one with a loop may run for too long, which is an error.
  bool holds(const Stmt& stmt) {
    const bool is_plain = stmt.kind == StmtKind::kBlock || stmt.kind == StmtKind::kIf ||
                          stmt.kind == StmtKind::kReturn || stmt.kind == StmtKind::kExpr ||
                          stmt.kind == StmtKind::kEmpty || stmt.kind == StmtKind::kNext;
    return is_plain && (stmt.expr == nullptr || holds(*stmt.expr)) &&
           std::all_of(stmt.body.begin(), stmt.body.end(),
                       [this](const StmtPtr& one) { return holds(*one); });
  }

  int within_ = 0;                  // functions
  std::set<const Function*> seen_;  // that are looked into
};

// `x = value` of a variable that nothing reads.
bool is_unused(const Stmt& stmt, const Handler& handler) {
  if (stmt.kind != StmtKind::kExpr || stmt.expr->kind != ExprKind::kAssign ||
      stmt.expr->text != "=" || stmt.expr->kids[0]->kind != ExprKind::kName) {
    return false;
  }
  const Symbol* const symbol = stmt.expr->kids[0]->symbol;
  const bool is_local = std::any_of(handler.locals.begin(), handler.locals.end(),
                                    [&](const auto& one) { return one.get() == symbol; });
  return is_local && !symbol->is_read && Purity().holds(*stmt.expr->kids[1]);
}

bool writes_name(const Expr& expr, const std::string& name) {
  const bool changes = expr.kind == ExprKind::kAssign || expr.kind == ExprKind::kIncrement;
  if (changes && expr.kids[0]->kind == ExprKind::kName && expr.kids[0]->text == name) return true;
  return std::any_of(expr.kids.begin(), expr.kids.end(),
                     [&](const ExprPtr& kid) { return kid != nullptr && writes_name(*kid, name); });
}

// ---- Arrays that a foreach goes over ----

using Written = std::set<const Symbol*>;

class Iterations {
 public:
  explicit Iterations(Messages& messages) : messages_(messages) {}
  bool is_good() const { return is_good_; }

  void statement(const Stmt& stmt) {
    const bool is_loop = stmt.kind == StmtKind::kForeach && stmt.array.symbol != nullptr;
    for (const ExprPtr* const one : {&stmt.init, &stmt.expr, &stmt.step, &stmt.limit}) {
      if (*one == nullptr) continue;
      if (stmt.kind == StmtKind::kDelete) changes(**one);
      expression(**one);
    }
    if (is_loop) open_.push_back(stmt.array.symbol);
    for (const StmtPtr& one : stmt.body) statement(*one);
    if (is_loop) open_.pop_back();
  }

 private:
  bool is_open(const Symbol* symbol) const {
    return std::find(open_.begin(), open_.end(), symbol) != open_.end();
  }

  void changes(const Expr& expr) {
    if (!is_open(expr.symbol)) return;
    messages_.semantic_error(
        fmt::format("variable '{}' modified during 'foreach' iteration", expr.symbol->name),
        expr.place, "note in another array what to change, and change it behind the loop");
    is_good_ = false;
  }

  void expression(const Expr& expr) {
    if (expr.kind == ExprKind::kAssign || expr.kind == ExprKind::kIncrement) changes(*expr.kids[0]);
    if (expr.kind == ExprKind::kCall && expr.function != nullptr && !open_.empty()) call(expr);
    for (const ExprPtr& kid : expr.kids) {
      if (kid != nullptr) expression(*kid);
    }
  }

  void call(const Expr& expr) {
    for (const Symbol* const one : written_by(expr.function)) {
      if (!is_open(one)) continue;
      messages_.semantic_error(
          fmt::format("function call modifies var '{}' during 'foreach' iteration", one->name),
          expr.place);
      is_good_ = false;
    }
  }

  const Written& written_by(const Function* function) {
    const auto found = written_.find(function);
    if (found != written_.end()) return found->second;
    Written all;
    std::set<const Function*> seen;
    add(function, all, seen);
    return written_.emplace(function, std::move(all)).first->second;
  }

  static void add(const Function* function, Written& to, std::set<const Function*>& seen) {
    for (const Function* one = function; one != nullptr; one = one->following) {
      if (one->body != nullptr && seen.insert(one).second) add(*one->body, to, seen);
    }
  }
  static void add(const Stmt& stmt, Written& to, std::set<const Function*>& seen) {
    for (const ExprPtr* const one : {&stmt.init, &stmt.expr, &stmt.step, &stmt.limit}) {
      if (*one == nullptr) continue;
      if (stmt.kind == StmtKind::kDelete) to.insert((*one)->symbol);
      add(**one, to, seen);
    }
    for (const StmtPtr& one : stmt.body) add(*one, to, seen);
  }
  static void add(const Expr& expr, Written& to, std::set<const Function*>& seen) {
    const bool changes = expr.kind == ExprKind::kAssign || expr.kind == ExprKind::kIncrement;
    if (changes && expr.kids[0]->symbol != nullptr) to.insert(expr.kids[0]->symbol);
    if (expr.kind == ExprKind::kCall) add(expr.function, to, seen);
    for (const ExprPtr& kid : expr.kids) {
      if (kid != nullptr) add(*kid, to, seen);
    }
  }

  Messages& messages_;
  std::vector<const Symbol*> open_;
  std::map<const Function*, Written> written_;
  bool is_good_ = true;
};

}  // namespace

bool check_iterations(const Program& program, Messages& messages) {
  Iterations check(messages);
  for (const auto& function : program.script.functions) {
    if (function->is_used && function->body != nullptr) check.statement(*function->body);
  }
  for (const Handler& handler : program.handlers) check.statement(*handler.body);
  return check.is_good();
}

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

bool may_do_something(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kAssign:
    case ExprKind::kIncrement:
    case ExprKind::kCall:
    case ExprKind::kTarget:
    case ExprKind::kMember:
    case ExprKind::kAtOperator:
    case ExprKind::kStatistic:
    case ExprKind::kBucket:
    case ExprKind::kEmbedded:
      return true;
    case ExprKind::kBinary:
      if (expr.text == "/" || expr.text == "%" || expr.text == "=~") return true;
      break;
    case ExprKind::kNumber:
    case ExprKind::kString:
    case ExprKind::kName:
    case ExprKind::kIndex:
    case ExprKind::kIn:
    case ExprKind::kUnary:
    case ExprKind::kTernary:
      break;
  }
  return std::any_of(expr.kids.begin(), expr.kids.end(),
                     [](const ExprPtr& kid) { return kid != nullptr && may_do_something(*kid); });
}

}  // namespace dt::stap
