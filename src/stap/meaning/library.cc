// See library.h.

#include "stap/meaning/library.h"

#include <algorithm>
#include <set>

#include "stap/meaning/functions.h"
#include "stap/meaning/points.h"

namespace dt::stap {
namespace {

class Calls {
 public:
  explicit Calls(const Script& script) : script_(script) {}
  bool has_unknown = false;

  void statement(const Stmt& stmt) {
    for (const ExprPtr* const one : {&stmt.expr, &stmt.init, &stmt.step, &stmt.limit}) {
      if (*one != nullptr) expression(**one);
    }
    for (const ExprPtr& one : stmt.slice) {
      if (one != nullptr) expression(*one);
    }
    for (const StmtPtr& one : stmt.body) statement(*one);
  }

  void expression(const Expr& expr) {
    for (const ExprPtr& kid : expr.kids) {
      if (kid != nullptr) expression(*kid);
    }
    if (expr.kind != ExprKind::kCall || find_function(expr.text) >= 0) return;
    has_unknown =
        has_unknown || std::none_of(script_.functions.begin(), script_.functions.end(),
                                    [&](const auto& one) { return one->name == expr.text; });
  }

 private:
  const Script& script_;
};

}  // namespace

std::vector<std::string> library_names(const Script& script) {
  std::set<std::string> names;
  Calls calls(script);
  for (const auto* const probes : {&script.probes, &script.aliases}) {
    for (const auto& probe : *probes) {
      calls.statement(*probe->body);
      for (const ProbePoint& point : probe->points) {
        const std::string& family = point.components.front().name;
        if (!is_family(family)) names.insert(family);
        if (point.condition) calls.expression(*point.condition);
      }
    }
  }
  for (const auto& function : script.functions) calls.statement(*function->body);
  if (calls.has_unknown) names.insert("functions");
  return {names.begin(), names.end()};
}

}  // namespace dt::stap
