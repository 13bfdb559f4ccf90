// The order in which variables are read and written, as the checker meets them.

#include "d/check/predicate_order.h"

#include <string>
#include <unordered_set>
#include <vector>

#include "d/check/variable_scope.h"
#include "d/syntax/ast.h"

namespace dt::d {

namespace {

struct Use {
  const Expr* name;
  bool writes;
};

// An assignment's value is met before its target, and the keys of an element
// before its variable.
void collect(const Expr* e, std::vector<Use>& out) {
  const Expr* const target = written_variable(e);
  if (e->kind == ExprKind::kAssign) {
    collect(e->args[1], out);
  }
  if (target != nullptr) {
    for (const Expr* at = e->args[0]; at != target; at = at->args[0]) {
      for (std::size_t i = 1; i < at->args.size(); ++i) {
        collect(at->args[i], out);
      }
    }
    out.push_back({target, true});
    return;
  }
  if (is_variable_node(e)) {
    out.push_back({e, false});
    return;
  }
  for (std::size_t i = 0; i < e->args.size(); ++i) {
    if (e->kind != ExprKind::kAssign || i == 0) {
      collect(e->args[i], out);
    }
  }
}

void collect(const std::vector<Stmt*>& body, std::vector<Use>& out) {
  for (const Stmt* stmt : body) {
    if (stmt->expr != nullptr) {
      collect(stmt->expr, out);
    }
    collect(stmt->body, out);
  }
}

std::string key_of(const Expr* name) { return shown(name, scope_of(name)); }

std::vector<Use> uses_of(const Expr* e) {
  std::vector<Use> out;
  collect(e, out);
  return out;
}

}  // namespace

const Expr* written_variable(const Expr* e) {
  const bool writes = e->kind == ExprKind::kAssign || e->kind == ExprKind::kPostfix ||
                      e->op == Op::kInc || e->op == Op::kDec;
  if (!writes) {
    return nullptr;
  }
  const Expr* target = e->args[0];
  while (target->kind == ExprKind::kIndex ||
         (target->kind == ExprKind::kMember && !target->arrow)) {
    target = target->args[0];
  }
  return is_variable_node(target) ? target : nullptr;
}

bool is_predicate_first(const Clause& clause, const std::function<bool(const Expr*)>& is_new) {
  std::unordered_set<std::string> made;
  for (const Use& use : uses_of(clause.predicate)) {
    if (use.writes && is_new(use.name)) {
      made.insert(key_of(use.name));
    }
  }
  if (made.empty()) {
    return false;
  }
  std::vector<Use> uses;
  collect(clause.body, uses);
  for (const Use& use : uses) {
    const std::string key = key_of(use.name);
    if (use.writes) {
      made.erase(key);
    } else if (made.contains(key)) {
      return true;
    }
  }
  return false;
}

const Expr* first_read(const Expr* predicate, const std::function<bool(const Expr*)>& wanted) {
  std::unordered_set<std::string> written;
  for (const Use& use : uses_of(predicate)) {
    if (use.writes) {
      written.insert(key_of(use.name));
    } else if (!written.contains(key_of(use.name)) && wanted(use.name)) {
      return use.name;
    }
  }
  return nullptr;
}

}  // namespace dt::d
