// See own_tasks.h.

#include "stap/meaning/own_tasks.h"

#include <algorithm>
#include <string_view>

namespace dt::stap {
namespace {

struct OwnTask {
  std::string_view function, number, becomes;
};
constexpr OwnTask kOwnTasks[] = {
    {"pid2task", "pid", "__task_of_pid"},           {"pid2task", "tid", "task_current"},
    {"pid2task", "ppid", "__task_of_ppid"},         {"pid2execname", "pid", "__execname_of_pid"},
    {"pid2execname", "ppid", "__execname_of_ppid"}, {"pid2execname", "tid", "execname"},
};

void expression(Expr& expr) {
  for (const ExprPtr& kid : expr.kids) {
    if (kid != nullptr) expression(*kid);
  }
  for (const Part& part : expr.parts) {
    if (part.index != nullptr) expression(*part.index);
  }
  if (expr.kind != ExprKind::kCall || expr.kids.size() != 1 || expr.kids[0] == nullptr) return;
  const Expr& of = *expr.kids[0];
  if (of.kind != ExprKind::kCall || !of.kids.empty()) return;
  const auto* const found = std::find_if(
      std::begin(kOwnTasks), std::end(kOwnTasks),
      [&](const OwnTask& one) { return expr.text == one.function && of.text == one.number; });
  if (found == std::end(kOwnTasks)) return;
  expr.text = found->becomes;
  expr.kids.clear();
}

void statement(const Stmt& stmt) {
  for (const ExprPtr* const one : {&stmt.init, &stmt.expr, &stmt.step, &stmt.limit}) {
    if (*one != nullptr) expression(**one);
  }
  for (const ExprPtr& one : stmt.slice) {
    if (one != nullptr) expression(*one);
  }
  for (const StmtPtr& one : stmt.body) statement(*one);
}

}  // namespace

void name_own_tasks(Script& script) {
  for (const auto& function : script.functions) statement(*function->body);
  for (const auto* const probes : {&script.probes, &script.aliases}) {
    for (const auto& probe : *probes) {
      statement(*probe->body);
      for (const ProbePoint& point : probe->points) {
        if (point.condition != nullptr) expression(*point.condition);
      }
    }
  }
}

}  // namespace dt::stap
