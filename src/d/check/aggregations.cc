// An aggregation is not a value: `@a` can stand on the left of `=`, and in the actions that read or
// clear aggregations, and nowhere else, since in the kernel it exists in parts that belong to CPUs.
// The first use fixes the function, the types of the keys, and the parameters; later uses must
// agree, because all of them write the same elements.

#include "d/check/aggregations.h"

#include <fmt/core.h>

#include <algorithm>

#include "d/check/call_prototypes.h"
#include "d/check/field_type.h"
#include "d/check/quantizers.h"
#include "d/check/scope.h"
#include "d/check/tables.h"
#include "d/check/wording.h"
#include "d/meaning/function_table.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"

namespace dt::d {

using record::AggFunc;
using record::AggParams;
using record::FieldKind;
using record::FieldType;

namespace {

AggFunc agg_func(Fn fn) {
  switch (fn) {
    case Fn::kSum:
      return AggFunc::kSum;
    case Fn::kAvg:
      return AggFunc::kAvg;
    case Fn::kMin:
      return AggFunc::kMin;
    case Fn::kMax:
      return AggFunc::kMax;
    case Fn::kStddev:
      return AggFunc::kStddev;
    case Fn::kQuantize:
      return AggFunc::kQuantize;
    case Fn::kLquantize:
      return AggFunc::kLquantize;
    case Fn::kLlquantize:
      return AggFunc::kLlquantize;
    default:
      return AggFunc::kCount;
  }
}

bool is_stack(FieldKind kind) { return kind == FieldKind::kStack || kind == FieldKind::kUstack; }

bool is_symbol(FieldKind kind) {
  return kind == FieldKind::kSym || kind == FieldKind::kMod || kind == FieldKind::kUaddr ||
         kind == FieldKind::kUsym || kind == FieldKind::kUmod;
}

// Stacks of the kernel and of processes may be in one key, which has room for the longest.
void merge_stacks(FieldType& key, const FieldType& use) {
  const auto bytes_in = [](FieldKind kind, const FieldType& type) {
    return kind == type.kind ? type.size : type.size + 8;  // a process stands before its frames
  };
  const FieldKind kind = key.kind == use.kind ? key.kind : FieldKind::kUstack;
  key = {kind, std::max(bytes_in(kind, key), bytes_in(kind, use)), false};
}

}  // namespace

// What a key of this expression looks like in the table.
FieldType Aggregations::key_field(const Expr* e) {
  if (e->symbol == Symbol::kBuiltin && e->kind == ExprKind::kIdent) {
    switch (builtin_table()[e->index].builtin) {
      case ir::Builtin::kProbeprov:
        return {FieldKind::kProbeProv, 4, false};
      case ir::Builtin::kProbemod:
        return {FieldKind::kProbeMod, 4, false};
      case ir::Builtin::kProbefunc:
        return {FieldKind::kProbeFunc, 4, false};
      case ir::Builtin::kProbename:
        return {FieldKind::kProbeName, 4, false};
      default:
        break;
    }
  }
  return field_type(e, world_, rules_);
}

bool Aggregations::merge_key(const Expr* e, std::uint32_t index, std::size_t key) {
  AggregationKey& slot = tables_.aggregation(index).keys[key];
  const FieldType field = key_field(e);
  if (!slot.decided) {
    slot = {e->type, field, true, e->span};
  } else if (is_text_field(field.kind) && is_text_field(slot.field.kind)) {
    if (field.kind != slot.field.kind) {
      slot.field = {FieldKind::kString, world_.string_size, false};
    }
  } else if (is_stack(field.kind) && is_stack(slot.field.kind)) {
    merge_stacks(slot.field, field);
  } else if (is_symbol(field.kind) && is_symbol(slot.field.kind) &&
             rules_.kind(e->type) == rules_.kind(slot.type)) {
    if (field.kind != slot.field.kind) slot.field = {FieldKind::kUaddr, 16, false};
  } else if (field.kind != slot.field.kind) {
    return false;
  } else if (field.kind == FieldKind::kInt && needs_cast(slot.type, e)) {
    return false;
  } else if (field.kind == FieldKind::kInt) {
    // No use may lose bits of its key.
    const ir::Type wide =
        TypeRules::widest(ir::Type::integer(slot.field.size, slot.field.is_signed),
                          ir::Type::integer(field.size, field.is_signed));
    slot.field = {FieldKind::kInt, wide.size, wide.is_signed};
  } else if (field.size != slot.field.size) {
    return false;
  }
  if (is_text_field(field.kind)) {
    tables_.add_flow({StringFlow::To::kAggregationKey, index, static_cast<std::uint32_t>(key), e});
  }
  return true;
}

bool Aggregations::keys(Expr* e, std::uint32_t index) {
  for (std::size_t i = 0; i < e->args.size(); ++i) {
    Expr* key = e->args[i];
    expr(key);
    if (bad(key)) {
      return false;
    }
    if (!may_be_key(key->type)) {
      error("D_KEY_TYPE", key->span,
            fmt::format("\"{}\" expression may not be used as aggregation index: key #{}",
                        type_name(key), i + 1));
      return false;
    }
  }
  AggregationInfo& info = tables_.aggregation(index);
  const std::string name = "@" + shown_name(info.name);
  if (!info.has_function) {
    info.keys.resize(e->args.size());
  } else if (info.keys.size() != e->args.size()) {
    Diagnostic& d =
        error("D_PROTO_LEN", e->span,
              prototype_mismatch(name, "[ ]", "key", e->args.size(), info.keys.size(), false));
    d.notes.push_back({info.first, "first used here"});
    return false;
  }
  for (std::size_t i = 0; i < e->args.size(); ++i) {
    if (!merge_key(e->args[i], index, i)) {
      Diagnostic& d = error(
          "D_PROTO_ARG", e->args[i]->span,
          fmt::format(
              "{}[ ] key #{} is incompatible with prototype:\n\tprototype: {}\n\t     key: {}",
              name, i + 1, rules_.name(info.keys[i].type), type_name(e->args[i])));
      d.notes.push_back({info.first, "first used here"});
      if (needs_cast(info.keys[i].type, e->args[i])) {
        d.hint = cast_hint(info.keys[i].type);
      } else if (is_symbol(info.keys[i].field.kind) && is_symbol(key_field(e->args[i]).kind)) {
        d.hint =
            "addresses of the kernel and of programs are different keys: give one of the two "
            "aggregations another name";
      } else if (rules_.name(info.keys[i].type) == type_name(e->args[i])) {
        d.hint =
            "names of errors, signals, users and the like are different keys, and so are "
            "addresses: "
            "give one of the two aggregations another name";
      }
      return false;
    }
  }
  return true;
}

void Aggregations::within(Expr* e) {
  for (Expr* key : e->args) {
    expr(key);
    if (bad(key)) {
      return;
    }
  }
  e->type = world_.types.void_type();
  scope_.misplaced = e;
}

void Aggregations::aggregate(Expr* e) {
  Expr* target = e->args[0];
  Expr* value = e->args[1];
  const FunctionInfo* info = value->kind == ExprKind::kCall ? function(value->text) : nullptr;
  const std::uint32_t index = tables_.aggregation_named(target->text);  // even if it is wrong
  if (e->op != Op::kNone) {
    error("D_AGG_FUNC", e->span,
          fmt::format("operator {}= cannot be applied to an aggregation", op_text(e->op)));
    return;
  }
  if (info == nullptr || info->kind != FunctionKind::kAggregating) {
    expr(value);
    if (!bad(value)) {
      error("D_AGG_FUNC", value->span,
            fmt::format("@{} must be assigned the result of an aggregating function",
                        shown_name(target->text)))
          .hint = "they are count, sum, avg, min, max, stddev, quantize, lquantize and llquantize";
    }
    return;
  }
  value->index = static_cast<std::uint32_t>(info->fn);
  value->symbol = Symbol::kAggFunc;
  for (Expr* argument : value->args) {
    expr(argument);
    if (bad(argument)) {
      return;
    }
  }
  const std::size_t errors = diagnostics_.total();
  const AggFunc func = agg_func(info->fn);
  AggParams params;
  if (!aggregating_arguments(value, *info, params)) {
    return;
  }
  if (diagnostics_.total() != errors) {
    return;
  }
  const bool first = !tables_.aggregation(index).has_function;
  if (!first && !matches_first(target, value, tables_.aggregation(index), func, params)) {
    return;
  }
  if (!keys(target, index)) {
    return;
  }
  target->index = index;
  if (first) {
    AggregationInfo& fresh = tables_.aggregation(index);
    fresh.has_function = true;
    fresh.func = func;
    fresh.params = params;
    fresh.first = e->span;
    if (!value->args.empty()) fresh.argument = value->args[0]->span;
  }
  e->type = world_.types.void_type();
  value->type = e->type;
  target->type = e->type;
}

bool Aggregations::aggregating_arguments(Expr* call, const FunctionInfo& info, AggParams& params) {
  if (!prototypes_.fits(call, info)) {
    return false;
  }
  const std::size_t most = info.fn == Fn::kQuantize     ? 2
                           : info.fn == Fn::kLquantize  ? 5
                           : info.fn == Fn::kLlquantize ? 6
                                                        : call->args.size();
  if (call->args.size() > most) {
    error("D_PROTO_LEN", call->span,
          prototype_mismatch(call->text, "( )", "arg", call->args.size(), most, false));
    return false;
  }
  if (call->args.empty()) {
    return true;
  }
  const Expr* value = call->args[0];
  if (!rules_.is_scalar(value->type) || rules_.kind(value->type) == types::Kind::kArray) {
    error("D_AGG_SCALAR", value->span,
          fmt::format("{}( ) argument #1 must be of scalar type, not \"{}\"", call->text,
                      type_name(value)));
    return false;
  }
  const std::size_t increment = info.fn == Fn::kQuantize ? 1 : info.fn == Fn::kLquantize ? 4 : 5;
  if (increment < call->args.size() && !rules_.is_scalar(call->args[increment]->type)) {
    error("D_PROTO_ARG", call->args[increment]->span,
          fmt::format("{}( ) argument #{} is incompatible with prototype:\n\tprototype: int64_t\n"
                      "\t argument: {}",
                      call->text, increment + 1, type_name(call->args[increment])));
    return false;
  }
  if (info.fn == Fn::kLquantize) {
    quantizers_.lquantize(call, params);
  } else if (info.fn == Fn::kLlquantize) {
    quantizers_.llquantize(call, params);
  }
  return true;
}

bool Aggregations::matches_first(const Expr* e, const Expr* call, const AggregationInfo& first,
                                 AggFunc func, const AggParams& params) {
  const auto mismatch = [&](const char* tag, const Expr* at, const std::string& text) {
    error(tag, at->span, text).notes.push_back({first.first, "first defined here"});
    return false;
  };
  if (func != first.func) {
    return mismatch("D_AGG_REDEF", e,
                    fmt::format("aggregation @{} redefined", shown_name(first.name)));
  }
  const auto argument = [&](const char* tag, std::size_t i, const char* what) {
    const Expr* at = i < call->args.size() ? call->args[i] : call;
    return mismatch(tag, at,
                    fmt::format("{}( ) {} (argument #{}) doesn't match previous "
                                "declaration of @{}",
                                call->text, what, i + 1, shown_name(first.name)));
  };
  if (func == AggFunc::kLquantize) {
    if (params.base != first.params.base) {
      return argument("D_LQUANT_MATCHBASE", 1, "base");
    }
    if (params.limit != first.params.limit) {
      return argument("D_LQUANT_MATCHLIM", 2, "limit");
    }
    if (params.step != first.params.step) {
      return argument("D_LQUANT_MATCHSTEP", 3, "step");
    }
  }
  if (func == AggFunc::kLlquantize) {
    if (params.factor != first.params.factor) {
      return argument("D_LLQUANT_FACTORMATCH", 1, "factor");
    }
    if (params.low != first.params.low) {
      return argument("D_LLQUANT_LOWMATCH", 2, "low magnitude");
    }
    if (params.high != first.params.high) {
      return argument("D_LLQUANT_HIGHMATCH", 3, "high magnitude");
    }
    if (params.nsteps != first.params.nsteps) {
      return argument("D_LLQUANT_NSTEPMATCH", 4, "linear steps per magnitude");
    }
  }
  return true;
}

}  // namespace dt::d
