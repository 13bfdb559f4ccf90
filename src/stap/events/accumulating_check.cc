// See accumulating_check.h. What is accepted here, accumulating_code.cc translates.

#include "stap/events/accumulating_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "probe/pattern.h"
#include "stap/events/context_values.h"
#include "stap/events/entries.h"
#include "stap/events/probes.h"

namespace dt::stap {
namespace {

// What a key or a comparison may have of it.
constexpr std::size_t kLongestText = 64;

bool is_number_of_firing(Fn fn) {
  const std::optional<ir::Builtin> builtin = builtin_of(fn);
  return builtin && *builtin != ir::Builtin::kExecname && *builtin != ir::Builtin::kExecargs &&
         *builtin != ir::Builtin::kCurthread;
}

std::int64_t statements(const Stmt& stmt) {
  std::int64_t out = stmt.kind == StmtKind::kBlock ? 0 : 1;
  for (const StmtPtr& one : stmt.body) out += statements(*one);
  return out;
}

}  // namespace

const Symbol* added_by(const Expr& expr) {
  const bool is_addition = expr.kind == ExprKind::kIncrement ||
                           (expr.kind == ExprKind::kAssign &&
                            (expr.text == "<<<" || expr.text == "+=" || expr.text == "-="));
  if (!is_addition) return nullptr;
  const Symbol* const symbol = expr.kids[0]->symbol;
  return symbol != nullptr && symbol->is_global ? symbol : nullptr;
}

const Expr* returned_by(const Function& function) {
  const Stmt* stmt = function.body.get();
  while (stmt->kind == StmtKind::kBlock && stmt->body.size() == 1) stmt = stmt->body[0].get();
  return stmt->kind == StmtKind::kReturn ? stmt->expr.get() : nullptr;
}

bool is_function_of_probe(const Expr& expr, const Handler& handler) {
  if (expr.kind == ExprKind::kCall && expr.builtin >= 0) {
    const Fn fn = static_cast<Fn>(expr.builtin);
    const bool is_sample =
        std::any_of(handler.events.begin(), handler.events.end(),
                    [](const Event& one) { return one.kind == EventKind::kProfile; });
    return (fn == Fn::probefunc || fn == Fn::ppfunc) && !is_sample;
  }
  if (expr.kind != ExprKind::kName || expr.symbol == nullptr) return false;
  const bool is_name = std::any_of(
      handler.provided.begin(), handler.provided.end(),
      [&](const Provided& one) { return one.symbol == expr.symbol && one.name == "name"; });
  return is_name && std::all_of(handler.events.begin(), handler.events.end(),
                                [](const Event& one) { return is_syscall(one.kind); });
}

std::optional<std::string> known_point(const Expr& expr, const Handler& handler) {
  const bool is_pp =
      expr.kind == ExprKind::kCall && expr.builtin >= 0 && static_cast<Fn>(expr.builtin) == Fn::pp;
  // At nd_syscall.read, it is called so.
  if (!is_pp || handler.events.size() != 1 || !handler.text.starts_with("syscall.")) {
    return std::nullopt;
  }
  const Event& event = handler.events.front();
  const std::string& call = event.pattern.function;
  if (!is_syscall(event.kind) || call.empty() || !probe::is_literal(call)) return std::nullopt;
  return fmt::format("syscall.{}{}", call,
                     event.kind == EventKind::kSyscallReturn ? ".return" : "");
}

AccumulatingCheck::AccumulatingCheck(const Program& program, const Handler& of)
    : program_(program), handler_(of) {
  handler();
}

bool AccumulatingCheck::refuse(std::string why) {
  if (why_.empty()) why_ = std::move(why);
  return false;
}

bool AccumulatingCheck::is_local(const Symbol* symbol) const {
  return std::any_of(handler_.locals.begin(), handler_.locals.end(),
                     [&](const auto& one) { return one.get() == symbol; });
}

const Provided* AccumulatingCheck::provided(const Symbol* symbol) const {
  const auto found = std::find_if(handler_.provided.begin(), handler_.provided.end(),
                                  [&](const Provided& one) { return one.symbol == symbol; });
  return found == handler_.provided.end() ? nullptr : &*found;
}

void AccumulatingCheck::handler() {
  if (program_.limits.runs_at_home) {
    refuse("-D STAP_HOME=1");
  } else if (program_.is_timed) {
    refuse("-t measures each run of it");
  } else if (handler_.is_entry) {
    refuse("it keeps values for a return");
  } else if (handler_.entry >= 0) {
    refuse("it has values of the entry");
  } else if (statements(*handler_.body) > program_.limits.max_action) {
    refuse("it has more statements than MAXACTION");
  } else if ((handler_.condition == nullptr || number(*handler_.condition)) &&
             statement(*handler_.body) && added_.empty()) {
    refuse("it adds to no variable");
  }
}

bool AccumulatingCheck::statement(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kEmpty:
    case StmtKind::kNext:
      return true;
    case StmtKind::kBlock:
      return std::all_of(stmt.body.begin(), stmt.body.end(),
                         [this](const StmtPtr& one) { return statement(*one); });
    case StmtKind::kIf: {
      if (!number(*stmt.expr)) return false;
      ++depth_;
      const bool is_good = std::all_of(stmt.body.begin(), stmt.body.end(),
                                       [this](const StmtPtr& one) { return statement(*one); });
      --depth_;
      return is_good;
    }
    case StmtKind::kExpr:
      return expression_statement(*stmt.expr);
    case StmtKind::kWhile:
    case StmtKind::kFor:
    case StmtKind::kForeach:
    case StmtKind::kBreak:
    case StmtKind::kContinue:
      return refuse("it has a loop");
    case StmtKind::kReturn:
      return refuse("it returns");
    case StmtKind::kDelete:
      return refuse("it deletes");
    case StmtKind::kTry:
      return refuse("it has try");
  }
  return false;
}

bool AccumulatingCheck::expression_statement(const Expr& expr) {
  if (added_by(expr) != nullptr) return addition(expr);
  const bool is_assignment = expr.kind == ExprKind::kAssign || expr.kind == ExprKind::kIncrement;
  return is_assignment ? assignment(expr) : value(expr);
}

bool AccumulatingCheck::addition(const Expr& expr) {
  const Expr& left = *expr.kids[0];
  const Symbol* const symbol = left.symbol;
  if (symbol->type != Type::kLong && symbol->type != Type::kStats) {
    return refuse(fmt::format("it assigns to '{}'", symbol->name));
  }
  if (expr.kind == ExprKind::kAssign && !number(*expr.kids[1])) return false;
  if (left.kind == ExprKind::kIndex) {
    for (const ExprPtr& key : left.kids) {
      if (key == nullptr || !value(*key)) return refuse("a key is no value");
    }
  }
  added_.emplace(symbol, left.place);
  return true;
}

// Of local variables: a number at any time, a string once.
bool AccumulatingCheck::assignment(const Expr& expr) {
  const Expr& left = *expr.kids[0];
  if (left.kind != ExprKind::kName || !is_local(left.symbol)) {
    return refuse(fmt::format("it assigns to '{}'", left.text));
  }
  if (expr.kind == ExprKind::kIncrement) return true;
  if (left.symbol->type != Type::kString) return number(*expr.kids[1]);
  if (expr.text != "=" || depth_ > 0 || provided(left.symbol) != nullptr || !text(*expr.kids[1]) ||
      !texts_.insert(left.symbol).second) {
    return refuse(fmt::format("'{}' has more than one value", left.text));
  }
  return true;
}

bool AccumulatingCheck::value(const Expr& expr) {
  return expr.type == Type::kString ? text(expr) : number(expr);
}

bool AccumulatingCheck::number(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kNumber:
      return true;
    case ExprKind::kName:
      return number_of_name(expr);
    case ExprKind::kTarget:
      return target(expr);
    case ExprKind::kCall:
      return call(expr);
    case ExprKind::kUnary:
      return number(*expr.kids[0]);
    case ExprKind::kBinary:
      if (expr.text == "=~" || expr.text == "!~") return refuse("it matches a pattern");
      if (expr.text == ".") return refuse("it puts texts together");
      return value(*expr.kids[0]) && value(*expr.kids[1]);
    case ExprKind::kTernary:
      return number(*expr.kids[0]) && number(*expr.kids[1]) && number(*expr.kids[2]);
    case ExprKind::kIndex:
    case ExprKind::kIn:
    case ExprKind::kStatistic:
    case ExprKind::kBucket:
      return refuse(fmt::format("it reads '{}'", expr.symbol != nullptr ? expr.symbol->name
                                                 : expr.kids.empty()    ? expr.text
                                                                        : expr.kids[0]->text));
    case ExprKind::kAssign:
    case ExprKind::kIncrement:
      return refuse("it uses the value of an assignment");
    case ExprKind::kAtOperator:
    case ExprKind::kMember:
      return refuse("it reads memory");
    case ExprKind::kString:
    case ExprKind::kEmbedded:
      break;
  }
  return refuse(fmt::format("'{}' is no number", expr.text));
}

bool AccumulatingCheck::number_of_name(const Expr& expr) {
  const Symbol* const symbol = expr.symbol;
  if (symbol->type == Type::kString) return refuse(fmt::format("'{}' is a text", expr.text));
  if (symbol->is_global) {
    return !symbol->is_written || refuse(fmt::format("it reads '{}'", symbol->name));
  }
  const Provided* const by_point = provided(symbol);
  if (by_point == nullptr) return true;
  const bool is_argument = by_point->name != "syscall_nr";
  return (is_argument && std::all_of(handler_.events.begin(), handler_.events.end(),
                                     [](const Event& one) { return is_syscall(one.kind); })) ||
         refuse(fmt::format("'{}' is computed at home", expr.text));
}

bool AccumulatingCheck::target(const Expr& expr) {
  if (expr.access != nullptr || expr.leaf < 0) return refuse("it reads memory");
  const Leaf& leaf = handler_.leaves[static_cast<std::size_t>(expr.leaf)];
  // The probe itself says the number of a call.
  const bool is_number = leaf.name == "syscall" && leaf.path.empty() &&
                         std::any_of(handler_.events.begin(), handler_.events.end(),
                                     [](const Event& one) { return is_syscall(one.kind); });
  if (is_number) return refuse("'$syscall' is computed at home");
  const bool is_value = leaf.what == Leaf::What::kValue || leaf.what == Leaf::What::kReturn;
  return is_value || refuse(fmt::format("'{}' is a text", expr.text));
}

bool AccumulatingCheck::call(const Expr& expr) {
  if (expr.access != nullptr) return refuse("it reads memory");
  if (expr.text == "register" || expr.text == "u_register") return refuse("it reads a register");
  if (expr.leaf >= 0) return target(expr);
  if (expr.function != nullptr) return script_function(expr);
  if (expr.builtin < 0) return refuse(fmt::format("it calls {}()", expr.text));
  const Fn fn = static_cast<Fn>(expr.builtin);
  const bool is_known = is_number_of_firing(fn) || fn == Fn::target;
  return is_known || refuse(fmt::format("it calls {}()", expr.text));
}

// One that only computes a number from numbers.
bool AccumulatingCheck::script_function(const Expr& expr) {
  const Function& function = *expr.function;
  const Expr* const value = returned_by(function);
  const bool is_plain =
      value != nullptr && function.following == nullptr && !function.is_embedded &&
      value->type == Type::kLong &&
      std::none_of(function.locals.begin(), function.locals.end(),
                   [](const auto& local) { return local->type == Type::kString; });
  if (!is_plain || !active_.insert(&function).second) {
    return refuse(fmt::format("it calls {}()", expr.text));
  }
  const bool is_good = number(*value);
  active_.erase(&function);
  return is_good && std::all_of(expr.kids.begin(), expr.kids.end(),
                                [this](const ExprPtr& kid) { return number(*kid); });
}

bool AccumulatingCheck::name_of_probe(const Expr& expr) {
  return handler_.has_short_names || refuse(fmt::format("'{}' may be long", expr.text));
}

bool AccumulatingCheck::text(const Expr& expr) {
  if (is_function_of_probe(expr, handler_)) return name_of_probe(expr);
  const auto is_short = [&](const std::string& text) {
    return (text.size() < kLongestText && text.find('\0') == std::string::npos) ||
           refuse("it has a long text");
  };
  if (const auto point = known_point(expr, handler_)) return is_short(*point);
  switch (expr.kind) {
    case ExprKind::kString:
      return is_short(expr.text);
    case ExprKind::kCall: {
      const bool is_name = expr.builtin >= 0 && static_cast<Fn>(expr.builtin) == Fn::execname;
      return is_name || refuse(fmt::format("it calls {}()", expr.text));
    }
    case ExprKind::kName:
      if (expr.symbol->is_global && !expr.symbol->is_written) {
        return expr.symbol->initial == nullptr || is_short(expr.symbol->initial->text);
      }
      return texts_.contains(expr.symbol) ||
             refuse(fmt::format("'{}' is a text that is made at home", expr.text));
    default:
      return refuse("it computes a text");
  }
}

}  // namespace dt::stap
