#include "d/check/aggregation_actions.h"

#include <fmt/core.h>

#include <algorithm>

#include "d/check/tables.h"
#include "d/check/wording.h"
#include "d/meaning/function_table.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "support/diagnostics.h"

namespace dt::d {

namespace {

struct ActionTags {
  const char* prototype;
  const char* argument;
  const char* undefined;
  std::size_t required;
  std::size_t most;
};

ActionTags tags_of(Fn fn) {
  switch (fn) {
    case Fn::kTrunc:
      return {"D_TRUNC_PROTO", "D_TRUNC_AGGARG", "D_TRUNC_AGGBAD", 1, 2};
    case Fn::kNormalize:
      return {"D_NORMALIZE_PROTO", "D_NORMALIZE_AGGARG", "D_NORMALIZE_AGGBAD", 2, 2};
    case Fn::kDenormalize:
      return {"D_NORMALIZE_PROTO", "D_NORMALIZE_AGGARG", "D_NORMALIZE_AGGBAD", 1, 1};
    default:
      return {"D_CLEAR_PROTO", "D_CLEAR_AGGARG", "D_CLEAR_AGGBAD", 1, 1};
  }
}

}  // namespace

// Whether an argument is a whole aggregation that exists; otherwise it has been reported.
bool AggregationActions::is_aggregation(Expr* e, Expr* target, Fn fn) {
  const ActionTags tags = tags_of(fn);
  if (target->kind != ExprKind::kAggregation) {
    error(tags.argument, target->span,
          fmt::format("{}( ) argument #1 is incompatible with prototype:\n\tprototype: "
                      "aggregation\n\t argument: {}",
                      e->text, type_name(target)));
    return false;
  }
  if (!target->args.empty()) {
    error(tags.argument, target->span,
          fmt::format("{}( ) applies to a whole aggregation: it may not have keys", e->text));
    return false;
  }
  const auto found = tables_.find_aggregation(target->text);
  if (!found) {
    error(tags.undefined, target->span,
          fmt::format("undefined aggregation: @{}", shown_name(target->text)));
    return false;
  }
  target->index = *found;
  if (!tables_.aggregation(target->index).has_function) {
    return false;  // reported where it should have got one
  }
  if (fn == Fn::kClear || fn == Fn::kTrunc) {
    tables_.aggregation(target->index).drained = true;
  }
  return true;
}

// trunc(@a, @b, ..., n): the same n keys stay in all of them.
void AggregationActions::truncate_join(Expr* e) {
  for (std::size_t i = 0; i + 1 < e->args.size(); ++i) {
    Expr* target = e->args[i];
    if (!is_aggregation(e, target, Fn::kTrunc)) {
      return;
    }
    if (!tables_.have_same_keys(e->args[0]->index, target->index)) {
      error("D_TRUNC_AGGARG", target->span,
            fmt::format("trunc( ) @{} and @{} do not have the same keys",
                        shown_name(e->args[0]->text), shown_name(target->text)));
      return;
    }
    tables_.join_keys(e->args[0]->index, target->index);
  }
}

void AggregationActions::check(Expr* e, Fn fn) {
  const ActionTags tags = tags_of(fn);
  const bool is_join = fn == Fn::kTrunc && e->args.size() > tags.most &&
                       std::all_of(e->args.begin(), e->args.end() - 1, [](const Expr* argument) {
                         return argument->kind == ExprKind::kAggregation;
                       });
  if (e->args.size() < tags.required || (e->args.size() > tags.most && !is_join)) {
    error(tags.prototype, e->span,
          prototype_mismatch(e->text, "( )", "arg", e->args.size(),
                             e->args.size() > tags.most ? tags.most : tags.required,
                             tags.required != tags.most && e->args.size() < tags.required));
    return;
  }
  if (is_join) {
    truncate_join(e);
  } else if (!is_aggregation(e, e->args[0], fn)) {
    return;
  }
  if (e->args.size() < 2) {
    return;
  }
  const Expr* number = e->args.back();
  if (number->kind == ExprKind::kAggregation || !rules_.is_scalar(number->type)) {
    error(fn == Fn::kTrunc ? "D_TRUNC_SCALAR" : "D_NORMALIZE_SCALAR", number->span,
          fmt::format("{}( ) argument #{} must be of scalar type", e->text, e->args.size()))
        .hint = fn == Fn::kTrunc && number->kind == ExprKind::kAggregation
                    ? "a number is last: trunc(@a, @b, 10) keeps the same 10 keys in both"
                    : "";
  }
}

}  // namespace dt::d
