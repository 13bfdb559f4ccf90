// See contexts.h.

#include "stap/meaning/contexts.h"

#include <set>
#include <string_view>

#include "stap/meaning/functions.h"

namespace dt::stap {
namespace {

void collect(const Expr& expr, Handler& handler, std::set<const Function*>& seen);
void collect_statement(const Stmt& stmt, Handler& handler, std::set<const Function*>& seen);

void collect_all(const std::vector<ExprPtr>& kids, Handler& handler,
                 std::set<const Function*>& seen) {
  for (const ExprPtr& kid : kids) {
    if (kid != nullptr) collect(*kid, handler, seen);
  }
}

void collect(const Expr& expr, Handler& handler, std::set<const Function*>& seen) {
  collect_all(expr.kids, handler, seen);
  for (const Part& part : expr.parts) {
    if (part.index != nullptr) collect(*part.index, handler, seen);
  }
  if (expr.kind != ExprKind::kCall) return;
  if (expr.builtin >= 0) {
    const Fn fn = static_cast<Fn>(expr.builtin);
    // ctime() without a time is of now.
    if (info(fn).where == Where::kContext) handler.contexts.insert(fn);
    // The stack that is shown, and the process whose addresses are named.
    const std::string_view name = info(fn).name;
    if (info(fn).where == Where::kSymbols) {
      const bool is_user = name.find("_u") != std::string_view::npos || name.starts_with("u");
      if (name.ends_with("backtrace")) {
        handler.contexts.insert(is_user ? Fn::ubacktrace : Fn::backtrace);
      }
      if (is_user) handler.contexts.insert(Fn::pid);
    }
    if (fn == Fn::uaddr) handler.contexts.insert(Fn::ubacktrace);
    if (fn == Fn::ctime && expr.kids.empty()) handler.contexts.insert(Fn::gettimeofday_s);
    return;
  }
  for (const Function* one = expr.function; one != nullptr; one = one->following) {
    if (seen.insert(one).second) collect_statement(*one->body, handler, seen);
  }
}

void collect_statement(const Stmt& stmt, Handler& handler, std::set<const Function*>& seen) {
  for (const ExprPtr* const one : {&stmt.expr, &stmt.init, &stmt.step, &stmt.limit}) {
    if (*one != nullptr) collect(**one, handler, seen);
  }
  collect_all(stmt.slice, handler, seen);
  for (const StmtPtr& one : stmt.body) collect_statement(*one, handler, seen);
}

}  // namespace

void collect_contexts(Handler& handler) {
  std::set<const Function*> seen;
  if (handler.is_entry || handler.entry >= 0) handler.contexts.insert(Fn::tid);
  collect_statement(*handler.body, handler, seen);
  if (handler.condition) collect(*handler.condition, handler, seen);
}

}  // namespace dt::stap
