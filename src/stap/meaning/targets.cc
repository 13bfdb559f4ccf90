// See targets.h.

#include "stap/meaning/targets.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stap/meaning/access.h"
#include "stap/meaning/contexts.h"
#include "stap/meaning/registers.h"
#include "stap/syntax/foreign_words.h"

namespace dt::stap {
namespace {

constexpr std::string_view kTargetVariable = "target variable";
constexpr std::int64_t kMostArguments = 10;  // a probe passes no more

// 2 of $arg2; 0: another name.
int number_of_argument(std::string_view text) {
  constexpr std::string_view kArgument = "$arg";
  if (!text.starts_with(kArgument)) return 0;
  const std::string_view rest = text.substr(kArgument.size());
  if (rest == "10") return kMostArguments;
  return rest.size() == 1 && rest[0] >= '1' && rest[0] <= '9' ? rest[0] - '0' : 0;
}

}  // namespace

int Targets::leaf(Leaf wanted) {
  std::vector<Leaf>& all = handler_->leaves;
  const auto found = std::find(all.begin(), all.end(), wanted);
  if (found != all.end()) return static_cast<int>(found - all.begin());
  all.push_back(std::move(wanted));
  return static_cast<int>(all.size() - 1);
}

bool Targets::in_event(std::string_view what, Span span, std::string_view hint) const {
  if (is_in_event()) return true;
  const bool is_in_function = handler_ == nullptr;
  if (what == kTargetVariable) {
    constexpr std::string_view kInFunction =
        "in a function there is none: give it the value as a parameter";
    error("unresolved target-symbol expression", span,
          is_in_function && hint.empty() ? kInFunction : hint);
    return false;
  }
  error(is_in_function ? fmt::format("{} in a function: give it the value as a parameter", what)
                       : fmt::format("unable to find {}: this probe point has no context", what),
        span, hint);
  return false;
}

bool Targets::is_at_statement() const {
  return std::any_of(handler_->events.begin(), handler_->events.end(), [](const Event& event) {
    return event.kind == EventKind::kRaw && event.code_address != 0;
  });
}

// $$parms and similar. False: refused.
bool Targets::summary(const Expr& expr, Leaf& wanted) const {
  const auto refuse = [&](std::string_view text, std::string_view hint = {}) {
    error(text, expr.place, hint);
    return false;
  };
  if (expr.text == "$$locals") {
    return refuse("$$locals is known at statements of programs", "$$parms has the parameters");
  }
  if (expr.text == "$$name") {
    wanted.what = Leaf::What::kName;
    return std::all_of(handler_->events.begin(), handler_->events.end(), has_name) ||
           refuse("$$name is that of marks, tracepoints and .plt");
  }
  if (expr.text == "$$provider") {
    wanted.what = Leaf::What::kName;
    wanted.name = "provider";
    return std::all_of(handler_->events.begin(), handler_->events.end(),
                       [](const Event& event) { return event.kind == EventKind::kMark; }) ||
           refuse("$$provider is that of marks");
  }
  const bool is_of_arguments = expr.text == "$$parms" || expr.text == "$$vars";
  if (!is_of_arguments && expr.text != "$$return") {
    return refuse(fmt::format("there is no {}", expr.text),
                  "$$parms, $$vars, $$return, $$name and $$provider are known");
  }
  if (expr.pretty != 0) {
    return refuse(fmt::format("structures in {} are not read", expr.text),
                  "$x$ shows the structure that the argument x points to");
  }
  // Of dtrace("pid1:a.out:main:entry") nothing says what a parameter is.
  const bool is_of_code =
      std::any_of(handler_->events.begin(), handler_->events.end(), [](const Event& event) {
        return event.kind == EventKind::kRaw && event.pattern.provider.starts_with("pid") &&
               event.code_address == 0;
      });
  if (is_of_code) {
    return refuse(fmt::format("{} is not known at points of dtrace()", expr.text),
                  "process(\"PATH\").function(\"NAME\") and .statement() have it");
  }
  wanted.what = Leaf::What::kParms;
  return true;
}

void Targets::target(Expr& expr) {
  if (!in_event(kTargetVariable, expr.place, hint_of_word(expr.text, false))) return;
  Leaf wanted;
  wanted.span = expr.place;
  wanted.is_address = expr.is_address;
  const bool is_variable = is_at_statement() && !expr.text.starts_with("$$") &&
                           expr.text != "$return" && number_of_argument(expr.text) == 0;
  if (is_variable) {
    wanted.what = Leaf::What::kVariable;
    wanted.name = expr.text.substr(1);
    wanted.is_address = false;
    expr.access = std::make_shared<Access>();
    expr.leaf = leaf(std::move(wanted));
    return;
  }
  if (expr.is_address && expr.parts.empty()) {
    return error("an argument of a probe has no address", expr.place);
  }
  if (expr.text.starts_with("$$")) {
    if (!summary(expr, wanted)) return;
  } else if (expr.text == "$return") {
    wanted.what = Leaf::What::kReturn;
    wanted.name = "return";
  } else if (const int number = number_of_argument(expr.text); number > 0) {
    wanted.argument = number - 1;
  } else {
    wanted.name = expr.text.substr(1);
  }
  // What is no path of names and numbers is followed from the argument on (events/plans.h).
  const bool is_path =
      expr.pretty == 0 && std::none_of(expr.parts.begin(), expr.parts.end(), [](const Part& part) {
        return part.index != nullptr && part.index->kind != ExprKind::kNumber;
      });
  if (is_path) {
    for (const Part& part : expr.parts) {
      wanted.path.push_back(
          {part.member, part.index != nullptr ? part.index->number : 0, part.place});
    }
  } else {
    wanted.is_address = false;
    expr.access = std::make_shared<Access>();
  }
  expr.leaf = leaf(std::move(wanted));
}

// register("rdi"): only where code is stopped, its registers are known.
bool Targets::register_of(const Expr& expr, Leaf& wanted) const {
  const auto refuse = [&](std::string_view text) {
    error(text, expr.place, {});
    return false;
  };
  const Expr& name = *expr.kids[0];
  if (name.kind != ExprKind::kString) return refuse("the name of a register must be a literal");
  const auto found = find_register(name.text);
  if (!found) return refuse(fmt::format("there is no register '{}'", name.text));
  const bool is_of_program =
      std::all_of(handler_->events.begin(), handler_->events.end(), [](const Event& event) {
        return event.kind == EventKind::kMark || event.pattern.provider.starts_with("pid");
      });
  if (!is_of_program) {
    return refuse("registers are known at functions, statements and marks of programs");
  }
  wanted.what = Leaf::What::kRegister;
  wanted.argument = found->number;
  return true;
}

void Targets::argument_function(Expr& expr) {
  if (!in_event(expr.text + "()", expr.place)) return;
  Leaf wanted;
  wanted.span = expr.place;
  if (expr.text == "register" || expr.text == "u_register") {
    if (!register_of(expr, wanted)) return;
  } else if (expr.text == "returnval") {
    wanted.what = Leaf::What::kReturn;
  } else {
    const Expr& number = *expr.kids[0];
    if (number.kind != ExprKind::kNumber || number.number < 1 || number.number > kMostArguments) {
      return error("the number of an argument must be a literal from 1 to 10", expr.place);
    }
    wanted.argument = static_cast<int>(number.number) - 1;
  }
  expr.leaf = leaf(std::move(wanted));
}

void Targets::text(Expr& call, const Expr& address) {
  Leaf wanted = handler_->leaves[static_cast<std::size_t>(address.leaf)];
  wanted.what = call.text.starts_with("user") ? Leaf::What::kUserText : Leaf::What::kKernelText;
  call.leaf = leaf(std::move(wanted));
}

}  // namespace dt::stap
