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

void expression(const Script& script, Expr& expr) {
  for (const ExprPtr& kid : expr.kids) {
    if (kid != nullptr) expression(script, *kid);
  }
  for (const Part& part : expr.parts) {
    if (part.index != nullptr) expression(script, *part.index);
  }
  if (expr.kind != ExprKind::kCall || expr.kids.size() != 1 || expr.kids[0] == nullptr) return;
  const Expr& of = *expr.kids[0];
  if (of.kind != ExprKind::kCall || !of.kids.empty()) return;
  const auto* const found = std::find_if(
      std::begin(kOwnTasks), std::end(kOwnTasks),
      [&](const OwnTask& one) { return expr.text == one.function && of.text == one.number; });
  if (found == std::end(kOwnTasks)) return;
  for (const std::string_view name : {found->function, found->number, found->becomes}) {
    if (is_of_script(script, name)) return;
  }
  expr.text = found->becomes;
  expr.kids.clear();
}

void statement(const Script& script, const Stmt& stmt) {
  for (const ExprPtr* const one : {&stmt.init, &stmt.expr, &stmt.step, &stmt.limit}) {
    if (*one != nullptr) expression(script, **one);
  }
  for (const ExprPtr& one : stmt.slice) {
    if (one != nullptr) expression(script, *one);
  }
  for (const StmtPtr& one : stmt.body) statement(script, *one);
}

}  // namespace

bool is_of_script(const Script& script, std::string_view name) {
  return std::any_of(script.functions.begin(), script.functions.end(),
                     [&](const auto& one) { return !one->is_library && one->name == name; });
}

void name_own_tasks(Script& script) {
  for (const auto& function : script.functions) statement(script, *function->body);
  for (const auto* const probes : {&script.probes, &script.aliases}) {
    for (const auto& probe : *probes) {
      statement(script, *probe->body);
      for (const ProbePoint& point : probe->points) {
        if (point.condition != nullptr) expression(script, *point.condition);
      }
    }
  }
}

}  // namespace dt::stap
