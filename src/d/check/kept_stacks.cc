#include "d/check/kept_stacks.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "d/syntax/ast.h"
#include "probe/pattern.h"
#include "probe/probe.h"

namespace dt::d {
namespace {

using Visit = std::function<void(Expr*&)>;

void each(Expr*& e, const Visit& visit) {
  if (e == nullptr) return;
  visit(e);
  for (Expr*& argument : e->args) each(argument, visit);
}
void each(Stmt* stmt, const Visit& visit) {
  each(stmt->expr, visit);
  for (Stmt* part : stmt->body) each(part, visit);
}
void each(Clause& clause, const Visit& visit) {
  each(clause.predicate, visit);
  for (Stmt* stmt : clause.body) each(stmt, visit);
}

bool is_of_sched(const ProbeSpec& spec, std::string_view name) {
  const auto pattern = probe::parse_pattern(spec.text);
  return pattern && pattern->name == name &&
         (pattern->provider == "sched" || pattern->provider.empty());
}
bool is_only(const Clause& clause, std::string_view name) {
  return !clause.probes.empty() &&
         std::all_of(clause.probes.begin(), clause.probes.end(),
                     [name](const ProbeSpec& spec) { return is_of_sched(spec, name); });
}

bool is_user_stack(const Expr* e) {
  return e->kind == ExprKind::kCall && (e->text == "ustack" || e->text == "jstack");
}

class StackKeeper {
 public:
  StackKeeper(Unit& unit, Arena& arena) : unit_(unit), arena_(arena) {}

  void run() {
    for (std::size_t i = 0; i < unit_.items.size(); ++i) {
      if (unit_.items[i].kind != Item::Kind::kClause) continue;
      const std::uint32_t index = unit_.items[i].index;
      if (!is_only(unit_.clauses[index], "on-cpu")) continue;
      Clause added = clause_for(unit_.clauses[index], i);
      if (added.body.empty()) continue;
      const auto place = static_cast<std::uint32_t>(unit_.clauses.size());
      unit_.clauses.push_back(std::move(added));
      Item item = unit_.items[i];
      item.index = place;
      unit_.items.insert(unit_.items.begin() + static_cast<std::ptrdiff_t>(i), item);
      ++i;
    }
  }

 private:
  Expr* make(ExprKind kind, const Expr* at) {
    Expr* e = arena_.expr();
    e->kind = kind;
    e->span = at->span;
    e->name_span = at->name_span;
    return e;
  }

  // Makes the stacks of the clause variables, and gives the clause that sets them.
  Clause clause_for(Clause& clause, std::size_t at) {
    Clause added;
    for (Stmt* stmt : clause.body) statement(stmt, added);
    if (added.body.empty()) return added;
    added.probes = {{"sched:::off-cpu", clause.probes.front().span}};
    added.predicate = of_thread(clause.predicate, thread_may_tell(at));
    added.has_body = true;
    added.span = {clause.span.source, clause.span.end, clause.span.end};
    added.is_added = true;
    return added;
  }

  void statement(Stmt* stmt, Clause& added) {
    if (stmt->expr != nullptr) action(stmt->expr, added);
    for (Stmt* part : stmt->body) statement(part, added);
  }

  // As a statement, or a branch of one, it is an action, which prints the stack of the running
  // thread and is refused; elsewhere it is a value.
  void action(Expr*& e, Clause& added) {
    if (e->kind == ExprKind::kTernary || e->kind == ExprKind::kComma) {
      for (Expr*& part : e->args) action(part, added);
    } else if (!is_user_stack(e)) {
      each(e, [&](Expr*& value) {
        if (is_user_stack(value)) value = variable_for(value, added);
      });
    }
  }

  // A name that no script can write.
  Expr* variable_for(Expr* call, Clause& added) {
    Expr* variable = make(ExprKind::kThreadVar, call);
    variable->text = fmt::format("{} at off-cpu, {}", call->text, ++count_);
    Expr* target = make(ExprKind::kThreadVar, call);
    target->text = variable->text;
    Expr* assignment = make(ExprKind::kAssign, call);
    assignment->args = {target, call};
    assignment->height = static_cast<std::uint16_t>(call->height + 1);
    Stmt* stmt = arena_.stmt();
    stmt->kind = StmtKind::kExpr;
    stmt->span = call->span;
    stmt->expr = assignment;
    added.body.push_back(stmt);
    return variable;
  }

  // Whether variables of the thread have the same values at the added clause and at on-cpu: what
  // sets them at off-cpu stands before it, and elsewhere they are set to 0 only.
  bool thread_may_tell(std::size_t at) {
    bool may = true;
    for (std::size_t i = 0; i < unit_.items.size(); ++i) {
      if (unit_.items[i].kind != Item::Kind::kClause) continue;
      Clause& clause = unit_.clauses[unit_.items[i].index];
      if (is_only(clause, "off-cpu") && i < at) continue;
      each(clause, [&may](Expr*& e) {
        const bool writes =
            e->kind == ExprKind::kAssign || e->kind == ExprKind::kPostfix ||
            (e->kind == ExprKind::kUnary && (e->op == Op::kInc || e->op == Op::kDec));
        if (!writes || e->args[0]->kind != ExprKind::kThreadVar) return;
        const bool clears = e->kind == ExprKind::kAssign && e->op == Op::kNone &&
                            e->args[1]->kind == ExprKind::kInt && e->args[1]->int_value == 0;
        may = may && clears;
      });
    }
    return may;
  }

  // Of `a && b`, what is as true when the thread leaves as when it comes; nullptr for nothing.
  Expr* of_thread(const Expr* predicate, bool with_variables) {
    if (predicate == nullptr) return nullptr;
    if (predicate->kind == ExprKind::kBinary && predicate->op == Op::kLogAnd) {
      Expr* left = of_thread(predicate->args[0], with_variables);
      Expr* right = of_thread(predicate->args[1], with_variables);
      if (left == nullptr || right == nullptr) return left == nullptr ? right : left;
      Expr* both = arena_.expr();
      *both = *predicate;
      both->args = {left, right};
      return both;
    }
    return copy(predicate, with_variables);
  }

  // nullptr where it depends on more than the thread.
  Expr* copy(const Expr* e, bool with_variables) {
    constexpr std::string_view kOfThread[] = {"pid", "tid",      "ppid",       "uid",
                                              "gid", "execname", "threadname", "NULL"};
    const bool is_leaf =
        e->kind == ExprKind::kInt || e->kind == ExprKind::kString ||
        (e->kind == ExprKind::kThreadVar && with_variables) ||
        (e->kind == ExprKind::kIdent &&
         std::find(std::begin(kOfThread), std::end(kOfThread), e->text) != std::end(kOfThread));
    const bool is_operator =
        e->kind == ExprKind::kBinary ||
        (e->kind == ExprKind::kUnary && e->op != Op::kInc && e->op != Op::kDec);
    if (!is_leaf && !is_operator) return nullptr;
    Expr* out = arena_.expr();
    *out = *e;
    for (Expr*& argument : out->args) {
      argument = copy(argument, with_variables);
      if (argument == nullptr) return nullptr;
    }
    return out;
  }

  Unit& unit_;
  Arena& arena_;
  int count_ = 0;
};

}  // namespace

void keep_stacks(Unit& unit, Arena& arena) { StackKeeper(unit, arena).run(); }

}  // namespace dt::d
