// Names of functions are those of D: actions, subroutines and aggregating functions. Functions of
// the kernel or of the traced program cannot be called: a probe runs where they could not.

#include "d/check/calls.h"

#include <fmt/core.h>

#include "d/check/action_order.h"
#include "d/check/actions.h"
#include "d/check/call_prototypes.h"
#include "d/check/inlines.h"
#include "d/check/kernel_use.h"
#include "d/check/scope.h"
#include "d/check/tables.h"
#include "d/meaning/foreign_words.h"
#include "d/meaning/function_table.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/ir.h"
#include "record/printf_format.h"
#include "support/diagnostics.h"
#include "support/nearest.h"
#include "support/source.h"

namespace dt::d {

void Calls::unsupported(const Expr* e, const FunctionInfo& info) {
  const std::string_view foreign = foreign_subject(info.fn);
  error_once("D_UNKNOWN", name_span(e),
             fmt::format("{} {}( ) is not supported{}",
                         info.kind == FunctionKind::kAction ? "action" : "subroutine", info.name,
                         foreign.empty() ? " yet" : fmt::format(": {}", foreign)));
}

void Calls::check(Expr* e, bool whole) {
  const FunctionInfo* info = find_function(e->text);
  if (info != nullptr && !has_since(info->since) && !sources_.at(e->span.source).is_library) {
    error_once("D_FUNC_UNDEF", name_span(e), fmt::format("undefined function name: {}", e->text))
        .hint = fmt::format("it came with version {} of D", info->since);
    return;
  }
  if (info == nullptr) {
    const bool is_inline = inlines_.visible(e->text) != nullptr;
    if (is_inline || find_builtin(e->text) || tables_.find_variable(e->text, ir::Scope::kGlobal)) {
      error("D_FUNC_IDKIND", name_span(e),
            fmt::format("{} '{}' may not be referenced as function",
                        is_inline ? "inline" : "variable", e->text));
      return;
    }
    Diagnostic& d = error_once("D_FUNC_UNDEF", name_span(e),
                               fmt::format("undefined function name: {}", e->text));
    if (const std::string_view hint = foreign_word(e->text); !hint.empty()) {
      d.hint = hint;
      return;
    }
    // Of those that are as near, what is asked for most comes first.
    std::vector<std::string_view> names = {"printf", "trace", "count", "sum"};
#define DT_FUNCTION(id, name, kind, since, prototype, supported) names.emplace_back(name);
#include "d/meaning/functions.def"
#undef DT_FUNCTION
    const std::string near = support::nearest(e->text, names);
    d.hint = near.empty() ? "a script calls subroutines of D only, not functions of C"
                          : support::did_you_mean(near);
    return;
  }
  e->index = static_cast<std::uint32_t>(info->fn);
  if (!arguments(e, *info) || !prototypes_.fits(e, *info)) {
    return;
  }
  if (!info->supported && !is_impossible(info->fn)) {
    unsupported(e, *info);
    return;
  }
  if (info->kind == FunctionKind::kSubroutine) {
    e->symbol = Symbol::kSubroutine;
    subroutine(e, info->fn);
    return;
  }
  const bool is_action = info->kind == FunctionKind::kAction;
  e->symbol = is_action ? Symbol::kAction : Symbol::kAggFunc;
  const bool has_value = std::string_view(info->prototype).substr(0, 4) != "void";
  if (is_action && (whole || has_value)) {
    if (!is_impossible(info->fn)) {
      actions_.check(e, info->fn);
    }
    return;
  }
  // What holds it may not take it; Clauses has the last word.
  e->type = world_.types.void_type();
  scope_.misplaced = e;
}

// Checks the arguments themselves. Aggregations are for the actions that take them.
bool Calls::arguments(Expr* e, const FunctionInfo& info) {
  const bool takes_aggregations = info.fn == Fn::kPrinta || info.fn == Fn::kClear ||
                                  info.fn == Fn::kTrunc || info.fn == Fn::kNormalize ||
                                  info.fn == Fn::kDenormalize || info.fn == Fn::kTrace ||
                                  info.fn == Fn::kPrint;
  bool ok = true;
  for (Expr* argument : e->args) {
    if (argument->kind == ExprKind::kAggregation && takes_aggregations) {
      continue;
    }
    expr(argument, {.translation = info.fn == Fn::kTrace || info.fn == Fn::kPrint});
    ok = ok && !bad(argument);
  }
  return ok;
}

void Calls::subroutine(Expr* e, Fn fn) {
  const Prototype wanted = parse_prototype(function_info(fn).prototype);
  e->type = rules_.parse(wanted.result).value_or(rules_.int64_type());
  if ((fn == Fn::kLltostr || fn == Fn::kStrtoll) && e->args.size() > 1) {
    const Expr* base = e->args[1];
    const auto number = static_cast<std::int64_t>(base->int_value);
    if (base->is_constant && (number < 2 || number > 36)) {
      error("D_PROTO_ARG", base->span,
            fmt::format("{}( ) argument #2 must be from 2 to 36, not {}", e->text, number));
    }
  }
  if (fn == Fn::kMachineNumber) {
    const Expr* name = e->args[0];
    if (name->kind != ExprKind::kString ||
        record::supply_of_machine(name->text) == record::Supply::kNone) {
      error("D_PROTO_ARG", name->span,
            fmt::format("{}( ) argument #1 must be the name of a number of the machine", e->text))
          .hint = "as \"load1\", \"memfree\" or \"cpus\", without a unit";
    }
  }
  if (fn == Fn::kInetNtop || fn == Fn::kLinkNtop) {
    kernel_.address_family(e, fn);
  }
  if (!kernel_.has_members(e, e->text + "( )", kernel_members(fn))) {
    e->type = {};
  }
}

}  // namespace dt::d
