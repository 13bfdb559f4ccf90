// See contexts.h.

#include "stap/meaning/contexts.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "stap/meaning/functions.h"

namespace dt::stap {
namespace {

// The stacks that the function looks at, and the process whose addresses it names.
void collect_stacks(Fn fn, Handler& handler) {
  const std::string_view name = info(fn).name;
  bool is_user = name.find("_u") != std::string_view::npos || name.starts_with("u");
  bool has_stack = name.find("backtrace") != std::string_view::npos;
  switch (fn) {
    case Fn::caller:
    case Fn::caller_addr:
    case Fn::addr:
      is_user = is_of_programs(handler);
      has_stack = true;
      break;
    case Fn::stack:
    case Fn::ustack:
    case Fn::callers:
    case Fn::ucallers:
      has_stack = true;
      break;
    default:
      break;
  }
  if (has_stack) handler.contexts.insert(is_user ? Fn::ubacktrace : Fn::backtrace);
  if (is_user) handler.contexts.insert(Fn::pid);
  const bool asks_for_line = name.ends_with("line") || name.ends_with("file");
  handler.names_code = handler.names_code || is_user;
  handler.names_lines = handler.names_lines || (is_user && asks_for_line);
}

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
    if (info(fn).where == Where::kSymbols) collect_stacks(fn, handler);
    const bool asks_place = fn == Fn::addr || fn == Fn::probefunc || fn == Fn::ppfunc;
    handler.asks_place = handler.asks_place || asks_place;
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

bool is_linkage(const Event& event) {
  return event.kind == EventKind::kFunctionEntry && event.pattern.function.ends_with("@plt");
}

bool has_name(const Event& event) {
  return event.kind == EventKind::kMark || event.kind == EventKind::kTracepoint ||
         is_linkage(event);
}

bool fires_at_returns(const Handler& handler) {
  return !handler.events.empty() &&
         std::all_of(handler.events.begin(), handler.events.end(), [](const Event& event) {
           return event.kind == EventKind::kSyscallReturn ||
                  event.kind == EventKind::kFunctionReturn;
         });
}

bool is_of_programs(const Handler& handler) {
  return !handler.events.empty() &&
         std::all_of(handler.events.begin(), handler.events.end(), [](const Event& event) {
           return event.kind == EventKind::kMark || event.pattern.provider.starts_with("pid");
         });
}

void collect_contexts(Handler& handler) {
  std::set<const Function*> seen;
  if (handler.is_entry || handler.entry >= 0) handler.contexts.insert(Fn::tid);
  collect_statement(*handler.body, handler, seen);
  if (handler.condition) collect(*handler.condition, handler, seen);
}

}  // namespace dt::stap
