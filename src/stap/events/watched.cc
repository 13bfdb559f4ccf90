// See watched.h.

#include "stap/events/watched.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "stap/events/entries.h"

namespace dt::stap {
namespace {

using front::Session;
using record::AggFunc;
using SymbolSet = std::set<const Symbol*>;
using Asked = std::map<const Symbol*, std::set<std::string>>;

void each_statement(const Stmt& stmt, const std::function<void(const Stmt&)>& f) {
  f(stmt);
  for (const StmtPtr& one : stmt.body) each_statement(*one, f);
}

void for_each_body(const Program& program, const std::function<void(const Stmt&)>& f) {
  for (const Handler& handler : program.handlers) f(*handler.body);
  for (const auto& function : program.script.functions) {
    if (function->is_used && function->body != nullptr) f(*function->body);
  }
}

// What a handler does with global variables, in its functions, too.
class Uses {
 public:
  explicit Uses(const Handler& handler) {
    if (handler.condition) value(*handler.condition);
    statement(*handler.body);
  }

  // `empties`: delete, and = 0; `sets`: anything else that may make it smaller.
  SymbolSet reads, adds, empties, sets;

 private:
  static void add(SymbolSet& to, const Symbol* symbol) {
    if (symbol != nullptr && symbol->is_global) to.insert(symbol);
  }

  void value_if(const ExprPtr& expr) {
    if (expr != nullptr) value(*expr);
  }

  void parts(const Expr& expr) {
    for (const ExprPtr& kid : expr.kids) value_if(kid);
    for (const Part& part : expr.parts) value_if(part.index);
  }

  static bool is_zero(const Expr& expr) {
    return expr.kind == ExprKind::kNumber && expr.number == 0;
  }

  static bool is_negative(const Expr& expr) {
    return expr.kind == ExprKind::kUnary && expr.text == "-";
  }

  // An assignment or an increment; its own value is not used here.
  void change(const Expr& expr) {
    const Expr& place = *expr.kids[0];
    const bool is_increment = expr.kind == ExprKind::kIncrement;
    const Expr* const given = is_increment ? nullptr : expr.kids[1].get();
    if (expr.text == "++" || expr.text == "<<<" || (expr.text == "+=" && !is_negative(*given))) {
      add(adds, place.symbol);
    } else if (expr.text == "=" && is_zero(*given)) {
      add(empties, place.symbol);
    } else {
      add(sets, place.symbol);
    }
    parts(place);
    if (given != nullptr) value(*given);
  }

  void value(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kAssign:
      case ExprKind::kIncrement:
        add(reads, expr.kids[0]->symbol);
        return change(expr);
      case ExprKind::kName:
      case ExprKind::kIndex:
      case ExprKind::kIn:
        add(reads, expr.symbol);
        break;
      case ExprKind::kCall:
        for (const Function* f = expr.function; f != nullptr; f = f->following) {
          if (seen_.insert(f).second && f->body != nullptr) statement(*f->body);
        }
        break;
      default:
        break;
    }
    parts(expr);
  }

  void statement(const Stmt& stmt) {
    const bool is_change =
        stmt.kind == StmtKind::kExpr &&
        (stmt.expr->kind == ExprKind::kAssign || stmt.expr->kind == ExprKind::kIncrement);
    if (stmt.kind == StmtKind::kDelete) {
      add(empties, stmt.expr->symbol);
      parts(*stmt.expr);
    } else if (is_change) {
      change(*stmt.expr);
    } else {
      value_if(stmt.expr);
    }
    for (const ExprPtr* const one : {&stmt.init, &stmt.step, &stmt.limit}) value_if(*one);
    for (const ExprPtr& one : stmt.slice) value_if(one);
    add(reads, stmt.array.symbol);
    for (const StmtPtr& one : stmt.body) statement(*one);
  }

  std::set<const Function*> seen_;
};

// One that runs between events, and once they are over: not those of the begin.
bool is_keeper(const Handler& handler) {
  switch (handler.kind) {
    case HandlerKind::kEnd:
    case HandlerKind::kError:
    case HandlerKind::kTimer:
    case HandlerKind::kFile:
    case HandlerKind::kInput:
      return true;
    case HandlerKind::kBegin:
    case HandlerKind::kNever:
    case HandlerKind::kEvent:
      return false;
  }
  return false;
}

bool is_unread_one(const Program& program, const Symbol& symbol) {
  return program.prints_unread && symbol.is_written && !symbol.is_read;
}

// "sizes", or "sizes_avg" of the statistic.
bool is_named(const std::set<std::string>& names, const Symbol& symbol) {
  constexpr std::array<std::string_view, 5> kParts = {"_count", "_sum", "_avg", "_min", "_max"};
  if (names.contains(symbol.name)) return true;
  return symbol.type == Type::kStats && std::ranges::any_of(kParts, [&](std::string_view part) {
           return names.contains(symbol.name + std::string(part));
         });
}

class WatchedFinder {
 public:
  explicit WatchedFinder(const Program& program) : program_(program) {
    for (const Handler& handler : program.handlers) {
      uses_.emplace_back(&handler, Uses(handler));
    }
    find_stacks();
  }

  SymbolSet symbols() const {
    SymbolSet out;
    for (const auto& symbol : program_.script.globals) {
      if (shows(*symbol)) out.insert(symbol.get());
    }
    return out;
  }

  Watched find() const {
    Watched out;
    const Asked asked = statistics_asked(program_);
    for (const auto& symbol : program_.script.globals) {
      if (!shows(*symbol)) continue;
      out.symbols.push_back(symbol.get());
      out.is_asked.push_back(!is_unread_one(program_, *symbol) &&
                             is_named(program_.pictures.named, *symbol));
      out.variables.push_back(variable(*symbol, asked));
    }
    for (const auto& [handler, uses] : uses_) {
      if (!is_keeper(*handler)) continue;
      Session::Keeper made{handler->text, handler->kind == HandlerKind::kTimer, {}, {}};
      for (std::uint32_t i = 0; i < out.symbols.size(); ++i) {
        if (uses.reads.contains(out.symbols[i])) made.prints.push_back(i);
        if (uses.empties.contains(out.symbols[i])) made.empties.push_back(i);
      }
      if (made.prints.empty() && made.empties.empty()) continue;
      out.handlers.push_back(handler);
      out.keepers.push_back(std::move(made));
    }
    return out;
  }

 private:
  bool shows(const Symbol& symbol) const {
    const bool is_number = symbol.type == Type::kLong || symbol.type == Type::kStats;
    if (symbol.is_library || !symbol.is_written || !is_number) return false;
    if (is_unread_one(program_, symbol) || is_named(program_.pictures.named, symbol)) return true;
    return program_.pictures.are_live && any([&](const Handler& handler, const Uses& uses) {
             return is_keeper(handler) && uses.reads.contains(&symbol);
           }) &&
           any([&](const Handler& handler, const Uses& uses) {
             return handler.kind != HandlerKind::kBegin &&
                    (uses.adds.contains(&symbol) || uses.sets.contains(&symbol) ||
                     uses.empties.contains(&symbol));
           });
  }

  bool any(const std::function<bool(const Handler& handler, const Uses& uses)>& is_it) const {
    return std::ranges::any_of(uses_,
                               [&](const auto& one) { return is_it(*one.first, one.second); });
  }

  // What a handler of the begin does is done before the first look.
  bool is_counted(const Symbol& symbol) const {
    return !symbol.wraps && !any([&](const Handler& handler, const Uses& uses) {
      if (handler.kind == HandlerKind::kBegin) return false;
      if (uses.sets.contains(&symbol)) return true;
      return uses.empties.contains(&symbol) && (!is_keeper(handler) || uses.adds.contains(&symbol));
    });
  }

  // A key is a stack where all additions give it as the call of a function.
  void find_stacks() {
    using Key = Session::Variable::Key;
    for_each_body(program_, [this](const Stmt& body) {
      for_each(body, [this](const Expr& one) {
        const bool is_change = one.kind == ExprKind::kAssign || one.kind == ExprKind::kIncrement;
        if (!is_change || one.kids[0]->kind != ExprKind::kIndex) return;
        const Expr& place = *one.kids[0];
        std::vector<std::optional<Key>>& keys = stacks_[place.symbol];
        keys.resize(place.kids.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
          const Key found = stack_of(place.kids[i].get());
          keys[i] = !keys[i] || *keys[i] == found ? found : Key::kText;
        }
      });
    });
  }

  static Session::Variable::Key stack_of(const Expr* key) {
    using Key = Session::Variable::Key;
    if (key == nullptr || key->kind != ExprKind::kCall || key->builtin < 0) return Key::kText;
    constexpr std::array<std::string_view, 2> kUser = {"ubacktrace", "sprint_ubacktrace"};
    constexpr std::array<std::string_view, 2> kKernel = {"backtrace", "sprint_backtrace"};
    const std::string_view name = info(static_cast<Fn>(key->builtin)).name;
    if (std::ranges::find(kUser, name) != kUser.end()) return Key::kUserStack;
    if (std::ranges::find(kKernel, name) != kKernel.end()) return Key::kKernelStack;
    return Key::kText;
  }

  Session::Variable variable(const Symbol& symbol, const Asked& asked) const {
    using Key = Session::Variable::Key;
    Session::Variable out;
    out.name = symbol.name;
    out.most_text = static_cast<std::uint32_t>(program_.limits.max_string_length);
    out.is_counted = is_counted(symbol);
    const auto stacks = stacks_.find(&symbol);
    bool has_stack = false;
    for (std::size_t i = 0; i < symbol.keys.size(); ++i) {
      Key key = symbol.keys[i] == Type::kString ? Key::kText : Key::kNumber;
      const bool is_known = stacks != stacks_.end() && i < stacks->second.size();
      if (key == Key::kText && is_known) key = stacks->second[i].value_or(Key::kText);
      has_stack = has_stack || key == Key::kUserStack || key == Key::kKernelStack;
      out.keys.push_back(key);
    }
    out.is_statistic = symbol.type == Type::kStats;
    const auto found = asked.find(&symbol);
    out.functions = {AggFunc::kSum};
    if (out.is_statistic && !has_stack && found != asked.end()) {
      out.functions = functions(found->second, out.is_counted);
    }
    if (std::ranges::find(out.functions, AggFunc::kLquantize) != out.functions.end()) {
      const std::int64_t low = symbol.histogram[0], high = symbol.histogram[1];
      const std::int64_t width = symbol.histogram[2];
      // Values of the last bucket go to the one above it: that one begins with the upper bound.
      out.params = {low, low + (high - low) / width * width, width};
    }
    return out;
  }

  // A histogram that falls is not shown.
  static std::vector<AggFunc> functions(const std::set<std::string>& asked, bool is_counted) {
    constexpr std::pair<const char*, AggFunc> kShownFunctions[] = {
        {"@hist_log", AggFunc::kQuantize},
        {"@hist_linear", AggFunc::kLquantize},
        {"@count", AggFunc::kCount},
        {"@sum", AggFunc::kSum},
        {"@avg", AggFunc::kAvg},
        {"@min", AggFunc::kMin},
        {"@max", AggFunc::kMax}};
    std::vector<AggFunc> out;
    for (const auto& [name, function] : kShownFunctions) {
      if (!asked.contains(name) || (record::is_histogram(function) && !is_counted)) continue;
      out.push_back(function);
    }
    if (out.empty()) out.push_back(AggFunc::kCount);
    return out;
  }

  const Program& program_;
  std::vector<std::pair<const Handler*, Uses>> uses_;
  // By array: of each key, what it is where it is a text.
  std::map<const Symbol*, std::vector<std::optional<Session::Variable::Key>>> stacks_;
};

}  // namespace

Watched find_watched(const Program& program) { return WatchedFinder(program).find(); }

std::map<const Symbol*, std::set<std::string>> statistics_asked(const Program& program) {
  Asked out;
  const auto ask = [&out](const Symbol* symbol, const std::string& what) {
    if (symbol != nullptr) out[symbol].insert(what);
  };
  for_each_body(program, [&](const Stmt& body) {
    for_each(body, [&](const Expr& one) {
      if (one.kind == ExprKind::kStatistic) ask(one.kids[0]->symbol, one.text);
    });
    each_statement(body, [&](const Stmt& one) {
      if (one.kind != StmtKind::kForeach || one.sort != SortBy::kValue) return;
      ask(one.array.symbol, one.statistic.empty() ? "@count" : one.statistic);
    });
  });
  for (const auto& symbol : program.script.globals) {
    // Of what is shown at the end, there are all.
    const bool is_shown_then =
        is_unread_one(program, *symbol) ||
        (!program.pictures.are_live && is_named(program.pictures.named, *symbol));
    if (!is_shown_then) continue;
    for (const char* const one : {"@count", "@sum", "@avg", "@min", "@max"}) ask(symbol.get(), one);
  }
  for (const Symbol* const symbol : WatchedFinder(program).symbols()) {
    if (symbol->type != Type::kStats) continue;
    const bool is_wanted = is_named(program.pictures.histograms, *symbol) ||
                           (program.pictures.are_live && is_unread_one(program, *symbol));
    const bool has_one = out[symbol].contains("@hist_linear");
    if (is_wanted && !has_one) ask(symbol, "@hist_log");
  }
  return out;
}

}  // namespace dt::stap
