// The actions of a clause become a list, which the consumer performs in order, and fields of a
// record, which the probe fills in. Actions that work in the probe itself, such as exit() or
// stop(), become instructions of the IR; those that only the consumer can perform, such as
// system(), have arguments in the record.

#include "d/lower/actions.h"

#include <csignal>

#include "d/lower/fields.h"
#include "d/lower/segment.h"
#include "d/lower/speculations.h"
#include "d/meaning/function_table.h"
#include "d/syntax/ast.h"
#include "ir/builder.h"

namespace dt::d::lowering {

using record::ActionKind;
using record::FieldKind;

namespace {

ActionKind action_kind(Fn fn) {
  switch (fn) {
    case Fn::kTrace:
      return ActionKind::kTrace;
    case Fn::kTracemem:
      return ActionKind::kTracemem;
    case Fn::kPrint:
      return ActionKind::kPrint;
    case Fn::kPrintm:
      return ActionKind::kPrintm;
    case Fn::kPcap:
      return ActionKind::kPcap;
    case Fn::kPrintf:
      return ActionKind::kPrintf;
    case Fn::kPrintrow:
      return ActionKind::kPrintrow;
    case Fn::kPrinta:
      return ActionKind::kPrinta;
    case Fn::kStack:
      return ActionKind::kStack;
    case Fn::kUstack:
    case Fn::kJstack:
      return ActionKind::kUstack;
    case Fn::kSetopt:
      return ActionKind::kSetopt;
    case Fn::kFreopen:
      return ActionKind::kFreopen;
    case Fn::kFtruncate:
      return ActionKind::kFtruncate;
    case Fn::kSystem:
      return ActionKind::kSystem;
    case Fn::kRaise:
    case Fn::kStop:
    case Fn::kChill:
      return ActionKind::kDefault;
    case Fn::kExit:
      return ActionKind::kExit;
    case Fn::kClear:
      return ActionKind::kClear;
    case Fn::kTrunc:
      return ActionKind::kTrunc;
    case Fn::kNormalize:
      return ActionKind::kNormalize;
    case Fn::kDenormalize:
      return ActionKind::kDenormalize;
    default:
      return ActionKind::kSym;
  }
}

}  // namespace

void Actions::lower(const Expr* e) {
  const Fn fn = static_cast<Fn>(e->index);
  if (fn == Fn::kSpeculate) {
    return speculations_.speculate(e);
  }
  record::Action out;
  out.kind = action_kind(fn);
  out.span = e->span;
  out.first_field = static_cast<std::uint32_t>(segment_.layout().fields.size());
  arguments(e, out);
  out.field_count = static_cast<std::uint32_t>(segment_.layout().fields.size()) - out.first_field;
  for (std::uint32_t i = 0; i < out.field_count; ++i) {
    record::Field& value = segment_.layout().fields[out.first_field + i];
    if (value.span.end == 0) {  // the address of printm() is its second argument
      const std::size_t argument = fn == Fn::kPrintm ? 1 : i == 0 ? 0 : e->args.size() - 1;
      value.span = argument < e->args.size() ? e->args[argument]->span : e->span;
    }
  }
  segment_.layout().urgent = segment_.layout().urgent || record::traits(out.kind).is_urgent;
  segment_.layout().actions.push_back(std::move(out));
}

void Actions::exit(const Expr* e) {
  const ValueId status = convert(value(e->args[0]), ir::Type::s32());
  b_->at(e->span);
  b_->exit(status);
  segment_.add({FieldKind::kInt, 4, true}, status);
}

// What the action records: a table, by the action.
void Actions::arguments(const Expr* e, record::Action& out) {
  const Fn fn = static_cast<Fn>(e->index);
  switch (fn) {
    case Fn::kTrace:
      fields_.traced(e->args[0]);
      break;
    case Fn::kPrint:
      fields_.print(e, out);
      break;
    case Fn::kPrintm:
      fields_.memory(e->args[1], static_cast<std::uint32_t>(e->args[0]->int_value), e);
      break;
    case Fn::kTracemem:
      fields_.memory(e->args[0], static_cast<std::uint32_t>(e->args[1]->int_value), e);
      if (e->args.size() > 2) {
        segment_.add({FieldKind::kInt, 8, true}, value(e->args[2]));
      }
      break;
    case Fn::kPcap:
      fields_.packet(e);
      break;
    case Fn::kPrintf:
    case Fn::kFreopen:
    case Fn::kSystem:
      fields_.printf(e, out);
      break;
    case Fn::kPrintrow:
      fields_.row(e, out);
      break;
    case Fn::kSetopt:
      for (const Expr* argument : e->args) {
        segment_.add_string(read_string(argument));
      }
      break;
    case Fn::kFtruncate:
      break;
    case Fn::kRaise:
    case Fn::kStop:
      signal(e, fn == Fn::kStop);
      break;
    case Fn::kChill:
      chill(e);
      break;
    case Fn::kExit:
      exit(e);
      break;
    case Fn::kCommit:
    case Fn::kDiscard:
      speculations_.end(e, out);
      break;
    case Fn::kPrinta:
    case Fn::kClear:
    case Fn::kDenormalize:
    case Fn::kTrunc:
    case Fn::kNormalize:
      of_aggregations(e, out);
      break;
    default:
      fields_.resolved(e);
      break;
  }
}

// What printa(), clear() and similar actions name; their numbers are recorded.
void Actions::of_aggregations(const Expr* e, record::Action& out) {
  for (const Expr* argument : e->args) {
    if (argument->kind == ExprKind::kAggregation) {
      out.aggregations.push_back(argument->index);
    } else if (argument->kind == ExprKind::kString) {
      out.format = argument->text;
    } else {
      out.has_trunc_count = out.kind == ActionKind::kTrunc;
      segment_.add({FieldKind::kInt, 8, out.kind == ActionKind::kTrunc}, value(argument));
    }
  }
}

void Actions::signal(const Expr* e, bool is_stop) {
  const ValueId number = is_stop ? b_->constant(SIGSTOP, ir::Type::s32())
                                 : convert(value(e->args[0]), ir::Type::s32());
  b_->at(e->span);
  operation(ir::Op::kSignal, ir::Type::none(), {number});
}

void Actions::chill(const Expr* e) {
  const ValueId ns = convert(value(e->args[0]), ir::Type::u64());
  b_->at(e->span);
  operation(ir::Op::kChill, ir::Type::none(), {ns});
}

}  // namespace dt::d::lowering
