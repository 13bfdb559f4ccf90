// See alias_variables.h.

#include "stap/events/alias_variables.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace dt::stap {
namespace {

// What `x = value` of the body sets, wherever it stands.
void gather_names(const Stmt& stmt, std::set<std::string>& names) {
  const bool is_assignment = stmt.kind == StmtKind::kExpr && stmt.expr->kind == ExprKind::kAssign &&
                             stmt.expr->text == "=" && stmt.expr->kids[0]->kind == ExprKind::kName;
  if (is_assignment) names.insert(stmt.expr->kids[0]->text);
  for (const StmtPtr& one : stmt.body) gather_names(*one, names);
}

class Lending {
 public:
  explicit Lending(const std::set<std::string>& names) : names_(names) {}

  void statement(Stmt& stmt) {
    if (stmt.is_alias) return;
    for (ExprPtr* const one : {&stmt.init, &stmt.expr, &stmt.step, &stmt.limit}) {
      if (*one != nullptr) expression(*one);
    }
    for (ExprPtr& one : stmt.slice) {
      if (one != nullptr) expression(one);
    }
    for (StmtPtr& one : stmt.body) statement(*one);
  }

  void expression(ExprPtr& expr) {
    // The alias has kept the value of the entry itself. A member is read when the probe returns, so
    // it is no value of the entry.
    const bool is_entry = expr->kind == ExprKind::kAtOperator && expr->text == "@entry" &&
                          is_lent(*expr->kids[0]) && expr->kids[0]->parts.empty() &&
                          expr->kids[0]->pretty == 0;
    if (is_entry) {
      ExprPtr value = std::move(expr->kids[0]);
      expr = std::move(value);
    }
    // Whether there is an x is asked of the point.
    const bool asks = expr->kind == ExprKind::kAtOperator &&
                      (expr->text == "@defined" || expr->text == "@choose_defined");
    for (std::size_t i = asks ? 1 : 0; i < expr->kids.size(); ++i) {
      if (expr->kids[i] != nullptr) expression(expr->kids[i]);
    }
    for (Part& part : expr->parts) {
      if (part.index != nullptr) expression(part.index);
    }
    if (!is_lent(*expr)) return;
    auto name = std::make_unique<Expr>();
    name->kind = ExprKind::kName;
    name->span = expr->span;
    name->place = expr->place;
    name->text = expr->text.substr(1);
    if (expr->parts.empty() && expr->pretty == 0) {
      expr = std::move(name);
      return;
    }
    expr->kind = ExprKind::kMember;
    expr->kids.push_back(std::move(name));
  }

 private:
  bool is_lent(const Expr& expr) const {
    return expr.kind == ExprKind::kTarget && names_.contains(expr.text.substr(1));
  }

  const std::set<std::string>& names_;
};

}  // namespace

void lend_alias_variables(Handler& handler, const EventProbes& probes) {
  if (handler.alias.empty() || handler.body == nullptr) return;
  std::set<std::string> names;
  for (const StmtPtr& one : handler.body->body) {
    if (one->is_of_library) gather_names(*one, names);
  }
  for (const Event& event : handler.events) {
    for (const ProbeInfo& probe : probes.of(event)) {
      const bool is_return = event.kind == EventKind::kFunctionReturn;
      const auto arguments = is_return ? probes.arguments_at_entry(event, probe) : probe.arguments;
      for (const ProbeInfo::Argument& one : arguments) names.erase(one.name);
    }
  }
  names.erase("return");
  if (names.empty()) return;
  Lending lending(names);
  for (const StmtPtr& one : handler.body->body) lending.statement(*one);
  if (handler.condition) lending.expression(handler.condition);
}

}  // namespace dt::stap
