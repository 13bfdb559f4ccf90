// See names.h.

#include "stap/meaning/names.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "stap/meaning/access.h"
#include "stap/meaning/c_constants.h"
#include "stap/meaning/callable.h"
#include "stap/meaning/contexts.h"
#include "stap/meaning/effects.h"
#include "stap/meaning/memory_bytes.h"
#include "stap/meaning/memory_functions.h"
#include "stap/meaning/pattern.h"
#include "stap/meaning/scope.h"
#include "stap/meaning/targets.h"
#include "stap/syntax/foreign_words.h"

namespace dt::stap {
namespace {

constexpr std::string_view kValueOfFile = "$value";

class Names {
 public:
  Names(Program& program, Messages& messages)
      : program_(program),
        messages_(messages),
        scope_(program, [this](auto text, Span span, auto hint) { error(text, span, hint); }),
        targets_([this](auto text, Span span, auto hint) { error(text, span, hint); }) {}

  bool run() {
    for (const Name& one : program_.script.embedded) {
      if (!is_idle_c(one.text)) in_c(one.text, one.span);
    }
    scope_.declare();
    for (const auto& function : program_.script.functions) body_of(*function);
    for (Handler& handler : program_.handlers) {
      if (!handler.is_entry) body_of(handler);
    }
    for (Handler& handler : program_.handlers) {
      if (handler.entry >= 0 && !failed_ && !program_.is_listed) leave_out_unread(handler);
    }
    for (Handler& handler : program_.handlers) {
      if (handler.is_entry) body_of(handler);
    }
    for (Handler& handler : program_.handlers) collect_contexts(handler);
    return !failed_ && check_iterations(program_, messages_);
  }

 private:
  void error(std::string_view text, Span span, std::string_view hint = {}) {
    messages_.semantic_error(text, span, hint);
    failed_ = true;
  }

  // ---- Bodies ----

  void body_of(Function& function) {
    handler_ = nullptr;
    targets_.enter(nullptr);
    function_ = &function;
    scope_.enter(function.locals);
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      Symbol& symbol = scope_.make_local(function.parameters[i].text, function.parameters[i].span);
      symbol.type = function.declared[i];
      symbol.has_arity = symbol.is_written = true;
    }
    statement(*function.body);
  }

  // Twice where an alias computes what the handler does not read: nothing of that is recorded.
  void body_of(Handler& handler) {
    enter(handler);
    std::size_t pruned = 0;
    for (const StmtPtr& one : handler.body->body) {
      if (one->is_alias && !program_.is_listed) pruned += drop_unread(*one, handler);
    }
    if (!failed_ && pruned > 0) {
      handler.locals.clear();
      handler.leaves.clear();
      enter(handler);
    }
    const bool is_given = handler.kind == HandlerKind::kFile || handler.kind == HandlerKind::kInput;
    if (is_given) find_given(handler);
    // A variable that is read and never written is one that the point gives.
    for (const auto& local : handler.locals) {
      if (local->is_read && !local->is_written && !handler.events.empty()) {
        handler.provided.push_back({local.get(), local->name});
      }
    }
  }

  // What a return does not read, its entry does not keep; an entry that keeps nothing is none.
  void leave_out_unread(Handler& handler) {
    Handler& entry = program_.handlers[static_cast<std::size_t>(handler.entry)];
    std::vector<StmtPtr>& all = entry.body->body;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string name = fmt::format("{}{}", kEntryPrefix, i);
      const bool is_read = std::any_of(handler.provided.begin(), handler.provided.end(),
                                       [&](const Provided& one) { return one.name == name; });
      if (!is_read) all[i] = nullptr;
    }
    std::erase(all, nullptr);
    if (!all.empty()) return;
    handler.entry = -1;
    entry.kind = HandlerKind::kNever;
    entry.events.clear();
  }

  void enter(Handler& handler) {
    handler_ = &handler;
    targets_.enter(&handler);
    function_ = nullptr;
    scope_.enter(handler.locals);
    if (handler.condition) {
      expression(*handler.condition, Use::kRead);
      for (const auto& local : handler.locals) {
        error("probe condition must not reference undeclared global", local->span);
      }
    }
    statement(*handler.body);
  }

  // An array's bare name within its own foreach is the element at hand: foreach (k in a) a is a[k].
  bool is_element_at_hand(Expr& expr, Use use) {
    if (use != Use::kRead) return false;
    for (auto loop = foreachs_.rbegin(); loop != foreachs_.rend(); ++loop) {
      const Stmt& stmt = **loop;
      if (stmt.array.symbol != expr.symbol) continue;
      expr.kind = ExprKind::kIndex;
      for (const Name& name : stmt.names) {
        auto key = std::make_unique<Expr>();
        key->kind = ExprKind::kName;
        key->text = name.text;
        key->span = expr.span;
        key->place = expr.place;
        expr.kids.push_back(std::move(key));
      }
      program_.warnings.emplace_back(
          fmt::format("the array '{}' is read without its index, as its element of this turn of "
                      "foreach",
                      expr.text),
          expr.place);
      expression(expr, use);
      return true;
    }
    return false;
  }

  void scalar(Expr& expr, Use use) {
    expr.symbol = scope_.variable(expr.text, expr.place, use);
    if (expr.symbol->is_array) {
      if (is_element_at_hand(expr, use)) return;
      scope_.contrary_arity(*expr.symbol, 0, expr.place);
      expr.symbol = nullptr;
      return;
    }
    if (!expr.symbol->has_arity) expr.symbol->arity_place = expr.place;
    expr.symbol->has_arity = true;
  }

  void all(std::vector<ExprPtr>& kids, bool allows_any = false) {
    for (const ExprPtr& kid : kids) {
      if (kid != nullptr) {
        expression(*kid, Use::kRead);
      } else if (!allows_any) {
        error("wildcard not allowed in array index", Span());
      }
    }
  }

  void expression(Expr& expr, Use use) {
    switch (expr.kind) {
      case ExprKind::kNumber:
      case ExprKind::kString:
        return;
      case ExprKind::kName:
        return scalar(expr, use);
      case ExprKind::kIndex:
        if (use == Use::kRead && has_any(expr)) {
          return error("wildcard not allowed in array index", expr.place);
        }
        all(expr.kids, true);
        expr.symbol = scope_.array(expr.text, expr.place, expr.kids.size(), use);
        return;
      case ExprKind::kIn:
        all(expr.kids, true);
        expr.symbol = scope_.array(expr.text, expr.place, expr.kids.size(), Use::kRead);
        return;
      case ExprKind::kTarget:
        return target(expr, use);
      case ExprKind::kCall:
        return call(expr);
      case ExprKind::kIncrement:
        return changed(expr, *expr.kids[0], is_value_used_ ? Use::kReadWrite : Use::kWrite);
      case ExprKind::kAssign:
        return assignment(expr);
      case ExprKind::kStatistic:
        return statistic(expr);
      case ExprKind::kAtOperator:
        if (expr.text == "@probewrite") return probewrite(expr);
        return at_operator(expr);
      case ExprKind::kMember:
        all(expr.kids);
        return indices(expr);
      case ExprKind::kEmbedded:
        return embedded(expr);
      case ExprKind::kUnary:
      case ExprKind::kBinary:
      case ExprKind::kTernary:
      case ExprKind::kBucket:
        if (expr.text == "=~" || expr.text == "!~") pattern(*expr.kids[1]);
        is_value_used_ = true;
        return all(expr.kids);
    }
  }

  // @cast, @var, @kderef, @uderef: events/plans.h says what they read.
  void at_operator(Expr& expr) {
    constexpr std::string_view kKnown[] = {"@cast", "@var", "@kderef", "@uderef"};
    if (std::find(std::begin(kKnown), std::end(kKnown), expr.text) == std::end(kKnown)) {
      return error(fmt::format("{} is not available here", expr.text), expr.place);
    }
    all(expr.kids);
    indices(expr);
  }

  // $$return is sprintf("return=0x%x", $return) at a return, and nothing elsewhere.
  void result_text(Expr& expr) {
    const auto make = [&](ExprKind kind, std::string text) {
      auto made = std::make_unique<Expr>();
      made->kind = kind;
      made->span = expr.span;
      made->place = expr.place;
      made->text = std::move(text);
      return made;
    };
    if (!fires_at_returns(*handler_)) {
      expr.kind = ExprKind::kString;
      expr.text.clear();
      return;
    }
    expr.kids.push_back(make(ExprKind::kString, "return=0x%x"));
    expr.kids.push_back(make(ExprKind::kTarget, "$return"));
    expr.kind = ExprKind::kCall;
    expr.text = "sprintf";
    call(expr);
  }

  void indices(Expr& expr) {
    for (Part& part : expr.parts) {
      if (part.index != nullptr) expression(*part.index, Use::kRead);
    }
  }

  // %{ 42 %} and %{ /* pure */ ENOENT %} are numbers; other C is not.
  void embedded(Expr& expr) {
    const std::optional<std::int64_t> value = constant_of_c(expr.text);
    if (!value) return in_c(expr.text, expr.place);
    expr.kind = ExprKind::kNumber;
    expr.number = *value;
  }

  void in_c(const std::string& text, Span span) {
    error("embedded code cannot run: handlers are not compiled from C", span, instead_of_c(text));
  }

  // Whether the handler, with the bodies of its aliases, writes the variable.
  void probewrite(Expr& expr) {
    const bool is_written = handler_ != nullptr && writes(*handler_->body, expr.kids[0]->text);
    expr.kind = ExprKind::kNumber;
    expr.number = is_written ? 1 : 0;
    expr.kids.clear();
  }

  // The right side of =~ is a literal, so that an error in it is reported before the run.
  void pattern(const Expr& expr) {
    if (expr.kind != ExprKind::kString) return error("expected literal string", expr.place);
    const std::string wrong = check_pattern(expr.text);
    if (!wrong.empty()) {
      error(fmt::format("regular expression '{}': {}", expr.text, wrong), expr.place);
    }
  }

  static bool has_any(const Expr& expr) {
    return std::any_of(expr.kids.begin(), expr.kids.end(),
                       [](const ExprPtr& kid) { return kid == nullptr; });
  }

  // $value of procfs("..."), a variable like any other.
  bool is_value_of_file(const Expr& expr) const {
    return expr.kind == ExprKind::kTarget && expr.text == kValueOfFile && expr.parts.empty() &&
           expr.pretty == 0 && !expr.is_address && handler_ != nullptr &&
           handler_->kind == HandlerKind::kFile;
  }

  // The variable that a file or the standard input gives.
  static void find_given(Handler& handler) {
    const std::string_view name = handler.kind == HandlerKind::kFile ? kValueOfFile
                                  : handler.is_line                  ? "line"
                                                                     : "char";
    for (const auto& local : handler.locals) {
      if (local->name != name) continue;
      local->type = Type::kString;
      local->is_written = true;
      handler.given = local.get();
    }
  }

  // Whether a number does not fall by it, as far as the script says.
  static bool only_adds(const Expr& change) {
    if (change.text == "++" || change.text == "<<<") return true;
    if (change.text != "+=") return false;
    const Expr& added = *change.kids[1];
    return !(added.kind == ExprKind::kUnary && added.text == "-");
  }

  void changed(const Expr& whole, Expr& place, Use use) {
    if (is_value_of_file(place)) place.kind = ExprKind::kName;
    if (place.kind != ExprKind::kName && place.kind != ExprKind::kIndex) {
      const bool is_target = place.kind == ExprKind::kTarget;
      if (is_target) {
        return error("write to target variable not permitted; need stap -g", place.place,
                     "no memory of the kernel or of a program is written here");
      }
      const bool is_member = place.kind == ExprKind::kMember && !place.parts.empty();
      return error("Expecting symbol or array index expression", whole.place,
                   is_member ? hint_of_member(place.text, place.parts.front().member) : "");
    }
    if (has_any(place)) return error("wildcard not allowed in array index", place.place);
    is_value_used_ = true;
    expression(place, use);
    if (place.symbol != nullptr && !only_adds(whole)) place.symbol->is_set = true;
  }

  void assignment(Expr& expr) {
    const bool is_plain = expr.text == "=" || expr.text == "<<<";
    const Use use = is_plain || !is_value_used_ ? Use::kWrite : Use::kReadWrite;
    changed(expr, *expr.kids[0], use);
    is_value_used_ = true;
    expression(*expr.kids[1], Use::kRead);
  }

  void statistic(Expr& expr) {
    Expr& of = *expr.kids[0];
    if (of.kind != ExprKind::kName && of.kind != ExprKind::kIndex) {
      const bool is_number = of.kind == ExprKind::kNumber, is_text = of.kind == ExprKind::kString;
      return error(is_number ? "type mismatch: expected stats but found long"
                   : is_text ? "type mismatch: expected stats but found string"
                             : "expected a statistic",
                   of.place);
    }
    expression(of, Use::kRead);
  }

  // ---- Values of the probe ----

  void target(Expr& expr, Use use) {
    if (is_value_of_file(expr)) {
      expr.kind = ExprKind::kName;
      return scalar(expr, use);
    }
    if (use != Use::kRead) {
      return error("write to target variable not permitted; need stap -g", expr.place);
    }
    if (expr.text == "$$return" && expr.pretty == 0 && targets_.is_in_event()) {
      return result_text(expr);
    }
    targets_.target(expr);
    if (expr.access != nullptr) indices(expr);
  }

  // user_string(x): of an argument of the probe it is a leaf, elsewhere events/plans.h follows it.
  void memory_function(Expr& expr) {
    Expr& address = *expr.kids[0];
    for (std::size_t i = 1; i < expr.kids.size(); ++i) expression(*expr.kids[i], Use::kRead);
    const int fn = address.kind == ExprKind::kCall ? find_function(address.text) : -1;
    const bool is_register = address.text == "register" || address.text == "u_register";
    const bool is_argument =
        fn >= 0 && info(static_cast<Fn>(fn)).where == Where::kArgument && !is_register;
    expression(address, Use::kRead);
    const MemoryFunction what = memory_function_of(static_cast<Fn>(expr.builtin));
    const bool is_leaf = (address.kind == ExprKind::kTarget && address.access == nullptr) ||
                         (is_argument && address.function == nullptr);
    // Where memory cannot be read, the quoted ones are the address, which a leaf has not.
    const bool is_quoted = expr.text.ends_with("_quoted");
    if (!is_leaf || is_quoted || address.leaf < 0 || what.size != 0 || what.is_counted ||
        what.is_bytes || what.unit != 0 || handler_ == nullptr) {
      expr.access = std::make_shared<Access>();
      return;
    }
    targets_.text(expr, address);
  }

  // ---- Calls ----

  // returnstr(format) is return_str(format, $return).
  void add_result(Expr& expr) {
    if (expr.text != "returnstr" || expr.kids.size() != 1 || handler_ == nullptr) return;
    if (scope_.function(expr.text, 1, expr.place.source) != nullptr) return;
    auto result = std::make_unique<Expr>();
    result->kind = ExprKind::kTarget;
    result->span = expr.span;
    result->place = expr.place;
    result->text = "$return";
    expr.text = "return_str";
    expr.kids.push_back(std::move(result));
  }

  static bool gives_stack(const FunctionInfo& what) {
    const auto has = [&](std::string_view text) {
      return what.name.find(text) != std::string_view::npos;
    };
    return what.result == 's' && (has("backtrace") || has("stack") || has("syms"));
  }

  void call(Expr& expr) {
    is_value_used_ = true;
    add_result(expr);
    expr.function = scope_.function(expr.text, expr.kids.size(), expr.place.source);
    if (expr.function != nullptr) {
      if (expr.function->is_embedded) return in_c(expr.function->embedded, expr.place);
      expr.function->is_used = true;
      return all(expr.kids);
    }
    // With an answer, it is the same as its older name.
    if (expr.text == "user_string_n" && expr.kids.size() == 3) expr.text = "user_string_n2";
    expr.builtin = find_function(expr.text);
    if (expr.builtin < 0) {
      report_no_function(program_, expr, messages_);
      failed_ = true;
      return all(expr.kids);
    }
    program_.names_itself = program_.names_itself || static_cast<Fn>(expr.builtin) == Fn::stp_pid;
    const FunctionInfo& what = info(static_cast<Fn>(expr.builtin));
    program_.asks_stacks = program_.asks_stacks || gives_stack(what);
    if (what.parameters != "x") {
      const std::string wrong = wrong_arity(what, expr);
      if (!wrong.empty()) return error(wrong, expr.place);
    }
    read_memory_of_format(expr);
    if (what.where == Where::kMemory) return memory_function(expr);
    if (what.where == Where::kArgument) {
      all(expr.kids);
      return targets_.argument_function(expr);
    }
    all(expr.kids);
  }

  // ---- Statements ----

  void foreach_statement(Stmt& stmt) {
    if (stmt.expr != nullptr) {
      expression(*stmt.expr, Use::kRead);
      if (stmt.names.size() != 1) error("a histogram has one index", stmt.span);
    } else {
      stmt.array.symbol =
          scope_.array(stmt.array.text, stmt.array.span, stmt.names.size(), Use::kRead);
      if (!stmt.slice.empty() && stmt.slice.size() != stmt.names.size()) {
        error("unequal numbers of indices and of slice components", stmt.array.span);
      }
      all(stmt.slice, true);
    }
    for (Name& name : stmt.names) key_of_foreach(name);
    if (!stmt.value_name.text.empty()) key_of_foreach(stmt.value_name);
    if (stmt.limit != nullptr) expression(*stmt.limit, Use::kRead);
    ++loops_;
    if (stmt.expr == nullptr) foreachs_.push_back(&stmt);
    statement(*stmt.body[0]);
    if (stmt.expr == nullptr) foreachs_.pop_back();
    --loops_;
  }

  void key_of_foreach(Name& name) {
    name.symbol = scope_.variable(name.text, name.span, Use::kWrite);
    if (name.symbol->is_array) scope_.contrary_arity(*name.symbol, 0, name.span);
    name.symbol->has_arity = name.symbol->is_set = true;
  }

  void delete_statement(Stmt& stmt) {
    Expr& what = *stmt.expr;
    if (what.kind == ExprKind::kName) {
      what.symbol = scope_.lookup(what.text, what.place.source);
      if (what.symbol == nullptr) {
        return error("unresolved array in delete statement", what.place);
      }
      what.symbol->is_written = true;
    } else if (what.kind == ExprKind::kIndex) {
      all(what.kids, true);
      what.symbol = scope_.array(what.text, what.place, what.kids.size(), Use::kWrite);
    } else {
      error("invalid operand of delete expression", what.place);
    }
    if (what.symbol != nullptr) what.symbol->is_set = true;
  }

  void statement(Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::kEmpty:
        return;
      case StmtKind::kExpr:
        if (is_new_name(*stmt.expr)) {
          if (!is_function(program_, stmt.expr->text)) {
            warn_of_no_effect(*stmt.expr);
          } else {
            program_.warnings.emplace_back(
                fmt::format("the statement does nothing: '{0}' is a function, which {0}() calls",
                            stmt.expr->text),
                stmt.expr->place);
          }
          stmt.kind = StmtKind::kEmpty;
          return;
        }
        if (!may_do_something(*stmt.expr)) warn_of_no_effect(*stmt.expr);
        is_value_used_ = false;
        expression(*stmt.expr, Use::kRead);
        is_value_used_ = true;
        return;
      case StmtKind::kForeach:
        return foreach_statement(stmt);
      case StmtKind::kDelete:
        return delete_statement(stmt);
      case StmtKind::kBreak:
      case StmtKind::kContinue:
        if (loops_ == 0) error("found statement not nested in loop", stmt.span);
        return;
      case StmtKind::kNext:
        if (function_ != nullptr && function_->following == nullptr) {
          program_.warnings.emplace_back(
              fmt::format("there is no other function '{}' that 'next' goes on with: it ends this "
                          "one, whose result is 0 or an empty text",
                          function_->name),
              stmt.span);
        }
        return;
      case StmtKind::kTry:
        for (Name& name : stmt.names) key_of_foreach(name);
        break;
      case StmtKind::kBlock:
      case StmtKind::kIf:
      case StmtKind::kWhile:
      case StmtKind::kFor:
      case StmtKind::kReturn:
        break;
    }
    if (stmt.init != nullptr) unused(*stmt.init);
    if (stmt.expr != nullptr) expression(*stmt.expr, Use::kRead);
    if (stmt.step != nullptr) unused(*stmt.step);
    const std::size_t loop = stmt.kind == StmtKind::kWhile || stmt.kind == StmtKind::kFor ? 1 : 0;
    loops_ += loop;
    for (const StmtPtr& one : stmt.body) statement(*one);
    loops_ -= loop;
  }

  // x == 1 where x = 1 is meant.
  void warn_of_no_effect(const Expr& expr) {
    if (messages_.is_of_library(expr.span)) return;
    program_.warnings.emplace_back("Eliding side-effect-free expression ", expr.span);
  }

  // A statement that is only a name, of a variable that is not known yet, has no effect; so it
  // needs no type either.
  bool is_new_name(const Expr& expr) const {
    return expr.kind == ExprKind::kName && scope_.lookup(expr.text, expr.place.source) == nullptr;
  }

  void unused(Expr& expr) {
    is_value_used_ = false;
    expression(expr, Use::kRead);
    is_value_used_ = true;
  }

  Program& program_;
  Messages& messages_;
  Scope scope_;
  Targets targets_;
  Handler* handler_ = nullptr;    // where we are, or
  Function* function_ = nullptr;  // in a function
  std::size_t loops_ = 0;
  std::vector<const Stmt*> foreachs_;  // over arrays, from the outermost one
  bool is_value_used_ = true;
  bool failed_ = false;
};

}  // namespace

bool resolve_names(Program& program, Messages& messages) { return Names(program, messages).run(); }

}  // namespace dt::stap
