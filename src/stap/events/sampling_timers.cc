// See sampling_timers.h.

#include "stap/events/sampling_timers.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "stap/events/entries.h"
#include "stap/meaning/own_tasks.h"

namespace dt::stap {
namespace {

constexpr std::string_view kPlaces[] = {
    "addr",       "backtrace",        "callers",     "caller",           "print_backtrace",
    "print_regs", "print_ubacktrace", "probefunc",   "sprint_backtrace", "sprint_ubacktrace",
    "uaddr",      "ubacktrace",       "ucallers",    "user_mode",        "stack",
    "ustack",     "print_syms",       "print_usyms", "register",         "u_register",
};
constexpr std::string_view kThreads[] = {"pid", "tid", "execname"};

template <std::size_t N>
bool is_one_of(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Of what prints, print(), printf() and so on are known by their beginning.
constexpr std::string_view kOutput[] = {"log", "warn", "error", "system", "exit"};

bool reports(const Stmt& stmt) {
  return stmt.kind == StmtKind::kForeach ||
         std::any_of(stmt.body.begin(), stmt.body.end(),
                     [](const StmtPtr& one) { return reports(*one); });
}

// A report may say who makes it; what only counts threads means those that run.
class AskedByTimer {
 public:
  explicit AskedByTimer(const Script& script) : script_(script) {}

  bool is_sample(const Stmt& body) {
    look_at(body);
    return !reports_ && (asks_place_ || (asks_thread_ && !prints_));
  }

 private:
  void look_at(const Stmt& body) {
    reports_ = reports_ || reports(body);
    for_each(body, [this](const Expr& expr) {
      if (expr.kind == ExprKind::kCall) look_at_call(expr.text);
    });
  }

  void look_at_call(const std::string& name) {
    if (is_of_script(script_, name)) return look_at_function(name);
    asks_place_ = asks_place_ || is_one_of(kPlaces, name);
    asks_thread_ = asks_thread_ || is_one_of(kThreads, name);
    prints_ = prints_ || name.starts_with("print") || is_one_of(kOutput, name);
  }

  // All functions of the name: which of them a call means, its arguments decide.
  void look_at_function(const std::string& name) {
    if (!functions_.insert(name).second) return;
    for (const auto& function : script_.functions) {
      if (!function->is_library && function->name == name) look_at(*function->body);
    }
  }

  const Script& script_;
  std::set<std::string> functions_;
  bool asks_place_ = false, asks_thread_ = false, prints_ = false, reports_ = false;
};

ExprPtr made_call(std::string_view name) {
  auto made = std::make_unique<Expr>();
  made->kind = ExprKind::kCall;
  made->text = name;
  return made;
}

ExprPtr made_number(std::int64_t value) {
  auto made = std::make_unique<Expr>();
  made->number = value;
  return made;
}

ExprPtr made_binary(ExprPtr left, std::string_view op, ExprPtr right) {
  auto made = std::make_unique<Expr>();
  made->kind = ExprKind::kBinary;
  made->text = op;
  made->kids.push_back(std::move(left));
  made->kids.push_back(std::move(right));
  return made;
}

// All CPUs fire; what counts is the one whose turn it is. The script has no functions of the names
// that are called here.
StmtPtr only_its_turn(StmtPtr body, std::int64_t period, std::int64_t cpus) {
  auto other = std::make_unique<Stmt>();
  other->kind = StmtKind::kIf;
  other->expr =
      made_binary(made_binary(made_binary(made_call("gettimeofday_ns"), "/", made_number(period)),
                              "%", made_number(cpus)),
                  "!=", made_call("cpu"));
  auto next = std::make_unique<Stmt>();
  next->kind = StmtKind::kNext;
  other->body.push_back(std::move(next));
  auto whole = std::make_unique<Stmt>();
  whole->kind = StmtKind::kBlock;
  whole->body.push_back(std::move(other));
  whole->body.push_back(std::move(body));
  return whole;
}

}  // namespace

void sample_by_timers(Program& program) {
  for (const std::string_view name : {"cpu", "gettimeofday_ns"}) {
    if (is_of_script(program.script, name)) return;
  }
  const std::int64_t cpus = ::sysconf(_SC_NPROCESSORS_ONLN);
  for (Handler& handler : program.handlers) {
    if (handler.kind != HandlerKind::kTimer || handler.random_ns != 0) continue;
    if (!AskedByTimer(program.script).is_sample(*handler.body)) continue;
    Event sample;
    sample.kind = EventKind::kProfile;
    sample.pattern.provider = "profile";
    sample.pattern.name = fmt::format("profile-{}ns", handler.period_ns);
    sample.pattern.text = sample.text = handler.text;
    sample.span = handler.span;
    handler.kind = HandlerKind::kEvent;
    handler.events.push_back(std::move(sample));
    if (cpus > 1) {
      handler.body = only_its_turn(std::move(handler.body), handler.period_ns, cpus);
    }
  }
}

}  // namespace dt::stap
