#include "d/check/aggregation_actions.h"

#include <fmt/core.h>

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

void AggregationActions::check(Expr* e, Fn fn) {
  const ActionTags tags = tags_of(fn);
  if (e->args.size() < tags.required || e->args.size() > tags.most) {
    error(tags.prototype, e->span,
          prototype_mismatch(e->text, "( )", "arg", e->args.size(),
                             e->args.size() > tags.most ? tags.most : tags.required,
                             tags.required != tags.most && e->args.size() < tags.required));
    return;
  }
  Expr* target = e->args[0];
  if (target->kind != ExprKind::kAggregation) {
    error(tags.argument, target->span,
          fmt::format("{}( ) argument #1 is incompatible with prototype:\n\tprototype: "
                      "aggregation\n\t argument: {}",
                      e->text, type_name(target)));
    return;
  }
  if (!target->args.empty()) {
    error(tags.argument, target->span,
          fmt::format("{}( ) applies to a whole aggregation: it may not have keys", e->text));
    return;
  }
  const auto found = tables_.find_aggregation(target->text);
  if (!found) {
    error(tags.undefined, target->span,
          fmt::format("undefined aggregation: @{}", shown_name(target->text)));
    return;
  }
  target->index = *found;
  if (!tables_.aggregation(target->index).has_function) {
    return;  // reported where it should have got one
  }
  if (fn == Fn::kClear || fn == Fn::kTrunc) {
    tables_.aggregation(target->index).drained = true;
  }
  if (e->args.size() < 2) {
    return;
  }
  const Expr* number = e->args[1];
  if (number->kind == ExprKind::kAggregation || !rules_.is_scalar(number->type)) {
    error(fn == Fn::kTrunc ? "D_TRUNC_SCALAR" : "D_NORMALIZE_SCALAR", number->span,
          fmt::format("{}( ) argument #2 must be of scalar type", e->text));
  }
}

}  // namespace dt::d
