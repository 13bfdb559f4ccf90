// See machine.h. Statements are here.

#include "stap/home/machine.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "stap/home/histogram.h"

namespace dt::stap {

Machine::Machine(Program& program, Surroundings surroundings)
    : run_(program, std::move(surroundings)),
      expressions_(run_, [this](Expr& expr, Value& out) { return call_function(expr, out); }) {}

bool Machine::run(Handler& handler, const Firing* firing, Given* given) {
  run_.begin(handler, firing, given != nullptr ? given->caller : nullptr);
  expressions_.calls().enter();
  actions_ = 0;
  const Limits& limits = run_.program.limits;
  most_actions_ = firing != nullptr ? limits.max_action : limits.max_action_interruptible;
  if (firing != nullptr) {
    for (std::size_t i = 0; i < handler.provided.size(); ++i) {
      run_.local(*handler.provided[i].symbol) = firing->provided[i];
    }
  }
  const bool has_given = given != nullptr && handler.given != nullptr;
  if (has_given) run_.local(*handler.given) = given->value;
  bool holds = true;
  if (handler.condition != nullptr && !expressions_.is_true(*handler.condition, holds)) {
    return false;
  }
  const bool is_good = !holds || statement(*handler.body) != Flow::kFail;
  if (has_given) given->value = run_.frames.front()[handler.given->slot];
  return is_good;
}

Machine::Flow Machine::statement(Stmt& stmt) {
  if (stmt.kind != StmtKind::kBlock && ++actions_ > most_actions_) {
    run_.fail("MAXACTION exceeded", stmt.span);
    return Flow::kFail;
  }
  switch (stmt.kind) {
    case StmtKind::kBlock:
      for (const StmtPtr& one : stmt.body) {
        if (const Flow flow = statement(*one); flow != Flow::kNormal) return flow;
      }
      return Flow::kNormal;
    case StmtKind::kIf: {
      bool holds = false;
      if (!expressions_.is_true(*stmt.expr, holds)) return Flow::kFail;
      if (holds) return statement(*stmt.body[0]);
      return stmt.body.size() > 1 ? statement(*stmt.body[1]) : Flow::kNormal;
    }
    case StmtKind::kWhile:
    case StmtKind::kFor:
      return loop(stmt);
    case StmtKind::kForeach:
      return stmt.expr != nullptr ? foreach_histogram(stmt) : foreach_array(stmt);
    case StmtKind::kTry:
      return try_statement(stmt);
    case StmtKind::kDelete:
      return delete_statement(stmt);
    case StmtKind::kEmpty:
    case StmtKind::kExpr:
    case StmtKind::kBreak:
    case StmtKind::kContinue:
    case StmtKind::kNext:
    case StmtKind::kReturn:
      return simple(stmt);
  }
  return Flow::kNormal;
}

Machine::Flow Machine::simple(Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kExpr: {
      Value ignored;
      if (!expressions_.evaluate(*stmt.expr, ignored)) return Flow::kFail;
      return run_.is_aborted ? Flow::kAbort : Flow::kNormal;
    }
    case StmtKind::kReturn:
      result_ = {};
      if (stmt.expr != nullptr && !expressions_.evaluate(*stmt.expr, result_)) return Flow::kFail;
      return Flow::kReturn;
    case StmtKind::kBreak:
      return Flow::kBreak;
    case StmtKind::kContinue:
      return Flow::kContinue;
    case StmtKind::kNext:
      return Flow::kNext;
    default:
      return Flow::kNormal;
  }
}

// The body once; what ends the loop is returned, and kNormal with !goes_on after a break.
Machine::Flow Machine::one_turn(Stmt& stmt, bool& goes_on) {
  const Flow flow = statement(*stmt.body[0]);
  goes_on = flow == Flow::kNormal || flow == Flow::kContinue;
  return goes_on || flow == Flow::kBreak ? Flow::kNormal : flow;
}

Machine::Flow Machine::loop(Stmt& stmt) {
  Value ignored;
  if (stmt.init != nullptr && !expressions_.evaluate(*stmt.init, ignored)) return Flow::kFail;
  bool goes_on = true;
  while (true) {
    if (stmt.expr != nullptr && !expressions_.is_true(*stmt.expr, goes_on)) return Flow::kFail;
    if (!goes_on) return Flow::kNormal;
    if (const Flow flow = one_turn(stmt, goes_on); flow != Flow::kNormal) return flow;
    if (!goes_on) return Flow::kNormal;
    if (stmt.step != nullptr && !expressions_.evaluate(*stmt.step, ignored)) return Flow::kFail;
    // A loop without a body, too, ends some day.
    if (++actions_ > most_actions_) {
      run_.fail("MAXACTION exceeded", stmt.span);
      return Flow::kFail;
    }
  }
}

bool Machine::limit(Stmt& stmt, std::size_t& most) {
  if (stmt.limit == nullptr) return true;
  Value value;
  if (!expressions_.evaluate(*stmt.limit, value)) return false;
  most = value.number < 0 ? 0 : static_cast<std::size_t>(value.number);
  return true;
}

bool Machine::slice(Stmt& stmt, std::vector<const Element*>& out) {
  std::vector<Value> wanted(stmt.slice.size());
  for (std::size_t i = 0; i < stmt.slice.size(); ++i) {
    if (stmt.slice[i] != nullptr && !expressions_.evaluate(*stmt.slice[i], wanted[i])) return false;
  }
  for (const Element& one : run_.global(*stmt.array.symbol).array.elements()) {
    bool fits = true;
    for (std::size_t i = 0; i < stmt.slice.size() && fits; ++i) {
      fits = stmt.slice[i] == nullptr ||
             (wanted[i].number == one.keys[i].number && wanted[i].text == one.keys[i].text);
    }
    if (fits) out.push_back(&one);
  }
  return true;
}

void Machine::sort(const Stmt& stmt, std::vector<const Element*>& all) const {
  if (stmt.sort == SortBy::kNone) return;
  const Type type = stmt.array.symbol->type;
  const auto measure = [&](const Element& one) {
    const Statistics& s = one.statistics;
    if (type != Type::kStats) return one.value.number;
    if (stmt.statistic == "@sum") return s.sum;
    if (stmt.statistic == "@min") return s.min;
    if (stmt.statistic == "@max") return s.max;
    if (stmt.statistic == "@avg") return s.count == 0 ? 0 : s.average();
    return s.count;
  };
  const auto is_before = [&](const Element* a, const Element* b) {
    const Element& first = stmt.descending ? *b : *a;
    const Element& second = stmt.descending ? *a : *b;
    if (stmt.sort == SortBy::kKey) {
      const Value &x = first.keys[stmt.sort_key], &y = second.keys[stmt.sort_key];
      return x.number != y.number ? x.number < y.number : x.text < y.text;
    }
    if (type == Type::kString) return first.value.text < second.value.text;
    return measure(first) < measure(second);
  };
  std::stable_sort(all.begin(), all.end(), is_before);
}

// The elements are those that there are when the loop begins; one that the body deletes before its
// turn is left out.
Machine::Flow Machine::foreach_array(Stmt& stmt) {
  std::size_t most = SIZE_MAX;
  std::vector<const Element*> all;
  if (!limit(stmt, most) || !slice(stmt, all)) return Flow::kFail;
  sort(stmt, all);
  all.resize(std::min(all.size(), most));
  std::vector<std::string> order;
  order.reserve(all.size());
  for (const Element* const one : all) order.push_back(one->key);
  Array& array = run_.global(*stmt.array.symbol).array;
  bool goes_on = true;
  for (std::size_t i = 0; i < order.size() && goes_on; ++i) {
    const Element* const now = array.find(order[i]);
    if (now == nullptr) continue;
    for (std::size_t key = 0; key < stmt.names.size(); ++key) {
      Symbol& symbol = *stmt.names[key].symbol;
      run_.scalar(symbol) = now->keys[key];
    }
    if (Symbol* const value = stmt.value_name.symbol) {
      run_.scalar(*value) = now->value;
    }
    if (const Flow flow = one_turn(stmt, goes_on); flow != Flow::kNormal) return flow;
  }
  return Flow::kNormal;
}

Machine::Flow Machine::foreach_histogram(Stmt& stmt) {
  std::size_t most = SIZE_MAX;
  if (!limit(stmt, most)) return Flow::kFail;
  const Statistics* const found = expressions_.statistics_of(*stmt.expr->kids[0], false);
  if (found == nullptr) return run_.error.empty() ? Flow::kNormal : Flow::kFail;
  const Statistics statistics = *found;
  const bool is_linear = stmt.expr->text == "@hist_linear";
  if (is_linear && statistics.bounds.empty()) return Flow::kNormal;
  bool goes_on = true;
  const std::int64_t count = buckets_of(statistics, is_linear);
  for (std::int64_t i = 0; i < count && goes_on && most > 0; ++i) {
    if (bucket_count(statistics, is_linear, i) == 0) continue;
    --most;
    Symbol& symbol = *stmt.names[0].symbol;
    run_.scalar(symbol).number = i;
    if (const Flow flow = one_turn(stmt, goes_on); flow != Flow::kNormal) return flow;
  }
  return Flow::kNormal;
}

Machine::Flow Machine::try_statement(Stmt& stmt) {
  const std::size_t depth = run_.frames.size();
  const Flow flow = statement(*stmt.body[0]);
  // That a handler runs for too long is nothing that it can catch.
  if (flow != Flow::kFail || actions_ > most_actions_) return flow;
  run_.frames.resize(depth);
  if (!stmt.names.empty()) {
    Symbol& symbol = *stmt.names[0].symbol;
    Value& caught = run_.scalar(symbol);
    caught.text = run_.error;
    caught.is_own = false;
  }
  run_.error.clear();
  return statement(*stmt.body[1]);
}

Machine::Flow Machine::delete_statement(Stmt& stmt) {
  Expr& what = *stmt.expr;
  if (what.kind == ExprKind::kName) {
    if (what.symbol->is_global) {
      run_.global(*what.symbol) = Global();
    } else {
      run_.local(*what.symbol) = Value();
    }
    return Flow::kNormal;
  }
  std::vector<Value> wanted;
  if (!expressions_.keys(what, wanted)) return Flow::kFail;
  Array& array = run_.global(*what.symbol).array;
  const bool is_whole = std::none_of(what.kids.begin(), what.kids.end(),
                                     [](const ExprPtr& kid) { return kid == nullptr; });
  if (is_whole) {
    array.erase(Array::key_of(wanted, what.symbol->keys));
    return Flow::kNormal;
  }
  std::vector<std::string> gone;
  for (const Element& one : array.elements()) {
    if (Expressions::matches(what, wanted, one)) gone.push_back(one.key);
  }
  for (const std::string& key : gone) array.erase(key);
  return Flow::kNormal;
}

bool Machine::call_function(Expr& expr, Value& out) {
  std::vector<Value> arguments(expr.kids.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!expressions_.evaluate(*expr.kids[i], arguments[i])) return false;
  }
  if (static_cast<std::int64_t>(run_.frames.size()) > run_.program.limits.max_nesting) {
    return run_.fail("MAXNESTING exceeded", expr.place);
  }
  for (Function* one = expr.function; one != nullptr; one = one->following) {
    run_.frames.emplace_back(one->locals.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) run_.frames.back()[i] = arguments[i];
    result_ = {};
    const std::int64_t actions = actions_;
    const Flow flow = statement(*one->body);
    if (flow == Flow::kFail) return false;
    // What a function of the library executes belongs to the statement that calls it: in SystemTap,
    // most are C.
    if (one->is_library) actions_ = actions;
    run_.frames.pop_back();
    if (flow != Flow::kNext) break;
  }
  out = std::exchange(result_, {});
  return true;
}

}  // namespace dt::stap
