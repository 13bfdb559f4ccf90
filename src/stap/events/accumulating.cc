// See accumulating.h.
//
// A variable is accumulated if all that events do with it is to add to it, in handlers that the
// kernel can run. A handler runs there if it does nothing but add to such variables. Each depends
// on the other: what cannot be is taken out until nothing more has to be.

#include "stap/events/accumulating.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "stap/events/accumulating_check.h"
#include "stap/events/entries.h"
#include "stap/events/watched.h"

namespace dt::stap {
namespace {

// Each needs some of the maps that a program can have.
constexpr std::size_t kMostArrays = 12;

using Symbols = std::set<const Symbol*>;

// The global variables that a handler names, in its functions, too.
class Touched {
 public:
  explicit Touched(const Handler& handler) {
    if (handler.condition) expression(*handler.condition);
    statement(*handler.body);
  }

  const Symbols& symbols() const { return symbols_; }
  bool may_end() const { return may_end_; }

 private:
  void add(const Symbol* symbol) {
    if (symbol != nullptr && symbol->is_global) symbols_.insert(symbol);
  }
  void expression(const Expr& expr) {
    for_each(expr, [this](const Expr& one) {
      add(one.symbol);
      const bool is_call = one.kind == ExprKind::kCall && one.builtin >= 0;
      may_end_ = may_end_ || (is_call && ends(static_cast<Fn>(one.builtin)));
      for (const Function* f = one.function; f != nullptr; f = f->following) {
        if (seen_.insert(f).second) statement(*f->body);
      }
    });
  }
  void statement(const Stmt& stmt) {
    for (const ExprPtr* const one : {&stmt.init, &stmt.expr, &stmt.step, &stmt.limit}) {
      if (*one != nullptr) expression(**one);
    }
    for (const ExprPtr& one : stmt.slice) {
      if (one != nullptr) expression(*one);
    }
    for (const Name& one : stmt.names) add(one.symbol);
    add(stmt.value_name.symbol);
    add(stmt.array.symbol);
    for (const StmtPtr& one : stmt.body) statement(*one);
  }

  static bool ends(Fn fn) {
    return fn == Fn::exit || fn == Fn::abort || fn == Fn::error || fn == Fn::assert;
  }

  Symbols symbols_;
  bool may_end_ = false;
  std::set<const Function*> seen_;
};

void for_each_statement(const Stmt& stmt, const std::function<void(const Stmt&)>& f) {
  f(stmt);
  for (const StmtPtr& one : stmt.body) for_each_statement(*one, f);
}

// What readers ask of a statistic.
class Wanted {
 public:
  explicit Wanted(const Program& program) : asked_(statistics_asked(program)) {}

  std::vector<Accumulated::Part> parts(const Symbol* symbol) const {
    using Words = Accumulated::Words;
    std::vector<Accumulated::Part> out;
    if (symbol->type != Type::kStats) return {{Words::kSum, {}}};
    const auto found = asked_.find(symbol);
    const std::set<std::string> none;
    const std::set<std::string>& asked = found == asked_.end() ? none : found->second;
    const auto has = [&](const char* what) { return asked.contains(what); };
    const bool has_count = has("@count"), has_sum = has("@sum");
    if (has("@variance")) {
      out.push_back({Words::kDeviation, {}});
    } else if (has("@avg") || (has_count && has_sum)) {
      out.push_back({Words::kAverage, {}});
    } else if (has_sum && asked.size() == 1) {
      out.push_back({Words::kSum, {}});
    } else {
      // That there is a value is known by their number.
      out.push_back({has_sum ? Words::kAverage : Words::kCount, {}});
    }
    if (has("@min")) out.push_back({Words::kMin, {}});
    if (has("@max")) out.push_back({Words::kMax, {}});
    if (has("@hist_log")) out.push_back({Words::kLog, {}});
    if (has("@hist_linear")) out.push_back({Words::kLinear, {}});
    return out;
  }

 private:
  std::map<const Symbol*, std::set<std::string>> asked_;
};

// By their places in the script, so that the same script is always the same program.
using AddedPlaces = std::vector<std::pair<const Symbol*, Span>>;
AddedPlaces in_order(const std::map<const Symbol*, Span>& added) {
  AddedPlaces out(added.begin(), added.end());
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.second.source, a.second.begin) <
           std::tuple(b.second.source, b.second.begin);
  });
  return out;
}

class Finder {
 public:
  explicit Finder(Program& program) : program_(program) {}

  void run() {
    for (Handler& handler : program_.handlers) {
      const Touched touched(handler);
      handler.may_end = touched.may_end();
      touched_[&handler] = touched.symbols();
      if (handler.kind != HandlerKind::kEvent) continue;
      events_.push_back(&handler);
      AccumulatingCheck check(program_, handler);
      handler.why_at_home = check.why();
      handler.accumulates = handler.why_at_home.empty();
      added_[&handler] = in_order(check.added());
    }
    while (takes_out()) {
    }
    limit_arrays();
    while (takes_out()) {
    }
    settle();
  }

 private:
  void send_home(Handler& handler, std::string why) {
    handler.accumulates = false;
    handler.why_at_home = std::move(why);
  }

  // Why the variable cannot be accumulated; empty: it can.
  std::string why_not(const Symbol* symbol) const {
    if (symbol->wraps) {
      return fmt::format("of '{}', which has %, the oldest element makes room", symbol->name);
    }
    if (refused_.contains(symbol)) return "there are too many arrays that events add to";
    for (const Handler* const handler : events_) {
      if (handler->accumulates || !touched_.at(handler).contains(symbol)) continue;
      return fmt::format("the handler of {} uses '{}' at home", handler->text, symbol->name);
    }
    return {};
  }

  bool takes_out() {
    bool has_changed = false;
    for (Handler* const handler : events_) {
      if (!handler->accumulates) continue;
      for (const auto& [symbol, place] : added_.at(handler)) {
        std::string why = why_not(symbol);
        if (why.empty()) continue;
        send_home(*handler, std::move(why));
        has_changed = true;
        break;
      }
    }
    return has_changed;
  }

  void limit_arrays() {
    std::set<const Symbol*> arrays;
    for (Handler* const handler : events_) {
      if (!handler->accumulates) continue;
      for (const auto& [symbol, place] : added_.at(handler)) {
        if (symbol->keys.empty()) continue;
        if (arrays.size() < kMostArrays) arrays.insert(symbol);
        if (!arrays.contains(symbol)) refused_.insert(symbol);
      }
    }
  }

  void settle() {
    const Wanted wanted(program_);
    for (Handler* const handler : events_) {
      if (!handler->accumulates) continue;
      for (const auto& [symbol, place] : added_.at(handler)) {
        if (program_.accumulations.find(symbol) != nullptr) continue;
        Accumulated made;
        made.symbol = symbol;
        made.place = place;
        made.parts = wanted.parts(symbol);
        if (!symbol->keys.empty()) made.parts.push_back({Accumulated::Words::kBirth, {}});
        program_.accumulations.all.push_back(std::move(made));
      }
      number_additions(*handler);
    }
    for (Handler& handler : program_.handlers) {
      const Symbols& touched = touched_.at(&handler);
      handler.takes = std::any_of(touched.begin(), touched.end(), [this](const Symbol* symbol) {
        return program_.accumulations.find(symbol) != nullptr;
      });
    }
  }

  static void number_additions(Handler& handler) {
    int next = 0;
    for_each_statement(*handler.body, [&](const Stmt& stmt) {
      if (stmt.kind == StmtKind::kExpr && added_by(*stmt.expr) != nullptr) {
        stmt.expr->addition = next++;
      }
    });
  }

  Program& program_;
  std::vector<Handler*> events_;
  std::map<const Handler*, Symbols> touched_;
  std::map<const Handler*, AddedPlaces> added_;
  Symbols refused_;
};

}  // namespace

void find_accumulations(Program& program) { Finder(program).run(); }

std::string where_handlers_run(const Program& program, const Sources& sources) {
  std::string out;
  for (const Handler& handler : program.handlers) {
    if (handler.kind != HandlerKind::kEvent || handler.is_entry) continue;
    const support::Location at = sources.locate(handler.span);
    out += fmt::format("; {} at {}:{}:{}: {}\n", handler.text, at.file, at.line, at.column,
                       handler.accumulates ? "in the kernel" : "at home: " + handler.why_at_home);
  }
  return out;
}

}  // namespace dt::stap
