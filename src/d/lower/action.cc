// Actions: what a clause records, and in which form.

#include "d/check/field_type.h"
#include "d/lower/lowerer.h"
#include "d/meaning/printf_format.h"

namespace dt::d {

using ir::ValueId;
using record::ActionKind;
using record::FieldKind;
using record::FieldType;

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

void Lowerer::field(FieldType type, ValueId value) {
  layout_.fields.push_back({type, 0});
  fields_.push_back(value);
}

void Lowerer::string_field(ValueId value) {
  field({FieldKind::kString, b_->type_of(value).size, false}, value);
}

// The part of the probe's name that a variable gives: recorded as its id.
std::optional<FieldKind> Lowerer::probe_part(const Expr* e) const {
  if (e->kind != ExprKind::kIdent || e->symbol != Symbol::kBuiltin) {
    return std::nullopt;
  }
  switch (builtin_table()[e->index].builtin) {
    case ir::Builtin::kProbeprov:
      return FieldKind::kProbeProv;
    case ir::Builtin::kProbemod:
      return FieldKind::kProbeMod;
    case ir::Builtin::kProbefunc:
      return FieldKind::kProbeFunc;
    case ir::Builtin::kProbename:
      return FieldKind::kProbeName;
    default:
      return std::nullopt;
  }
}

// jstack() is ustack() with room for names: its second argument is then not 0.
ValueId Lowerer::stack_bytes(const Expr* e, const FieldType& type) {
  ir::Op op = type.kind == FieldKind::kStack ? ir::Op::kStack : ir::Op::kUstack;
  const bool has_room =
      e->args.size() < 2 ? static_cast<Fn>(e->index) == Fn::kJstack : e->args[1]->int_value != 0;
  if (op == ir::Op::kUstack && has_room) op = ir::Op::kJstack;
  return operation(op, ir::Type::bytes(type.size), {});
}

// sym(), mod(), uaddr(), ...: an address that the consumer resolves.
void Lowerer::symbol_field(const Expr* e) {
  const FieldType type = field_type(e, world_, rules_);
  const ValueId at = value(e->args[0]);
  b_->at(e->span);
  const bool kernel = type.kind == FieldKind::kSym || type.kind == FieldKind::kMod;
  field(type, kernel ? at : b_->unary(ir::Op::kUserAddr, at, ir::Type::bytes(16)));
}

void Lowerer::stack_field(const Expr* e) {
  const FieldType type = field_type(e, world_, rules_);
  b_->at(e->span);
  field(type, stack_bytes(e, type));
}

// An argument of printf(); `conversion` is what shows it.
void Lowerer::argument_field(const Expr* e, char conversion) {
  if (const auto part = probe_part(e)) {
    field({*part, 4, false}, b_->builtin(ir::Builtin::kProbeId));
    return;
  }
  switch (rules_.kind(e->type)) {
    case types::Kind::kStack:
      stack_field(e);
      return;
    case types::Kind::kSymbol:
    case types::Kind::kUserSymbol:
      symbol_field(e);
      return;
    default:
      break;
  }
  const bool as_string = conversion == 's' || conversion == 'S' || conversion == 'I';
  if (rules_.is_string(e->type) || (as_string && rules_.is_pointer(e->type))) {
    string_field(string(e));
    return;
  }
  if (rules_.is_float(e->type)) {
    field({FieldKind::kBytes, rules_.size(e->type), false}, bytes_of(e));
    return;
  }
  const ValueId v = value(e);
  if (conversion == 'A') {
    field({FieldKind::kUaddr, 16, false}, b_->unary(ir::Op::kUserAddr, v, ir::Type::bytes(16)));
    return;
  }
  const ir::Type type = rules_.ir_type(e->type);
  field({FieldKind::kInt, type.size, type.is_signed}, convert(v, type));
}

void Lowerer::trace_field(const Expr* e) {
  if (const Expr* copied = constant_copyin(e)) {
    const auto size = static_cast<std::uint32_t>(copied->args[1]->int_value);
    const ValueId at = value(copied->args[0]);
    b_->at(e->span);
    field({FieldKind::kBytes, size, false}, memory_bytes(at, size, true));
    return;
  }
  if (is_object(e->type, rules_)) {
    field({FieldKind::kBytes, rules_.size(e->type), false}, bytes_of(e));
    return;
  }
  argument_field(e, 0);
}

void Lowerer::printf(const Expr* e, record::Action& out) {
  out.format = e->args[0]->text;
  std::size_t next = 1;
  for (const Conversion& conversion : parse_format(out.format).conversions) {
    for (const bool dynamic : {conversion.dynamic_width, conversion.dynamic_precision}) {
      if (dynamic) {
        argument_field(e->args[next], 'd');
        layout_.fields.back().span = e->args[next++]->span;
      }
    }
    argument_field(e->args[next], conversion.letter);
    layout_.fields.back().span = e->args[next++]->span;
  }
}

void Lowerer::action(const Expr* e) {
  const Fn fn = static_cast<Fn>(e->index);
  if (fn == Fn::kSpeculate) {
    return speculate(e);
  }
  record::Action out;
  out.kind = action_kind(fn);
  out.span = e->span;
  out.first_field = static_cast<std::uint32_t>(layout_.fields.size());
  switch (fn) {
    case Fn::kTrace:
      trace_field(e->args[0]);
      break;
    case Fn::kPrint:
      print(e, out);
      break;
    case Fn::kPrintm:
      memory_field(e->args[1], static_cast<std::uint32_t>(e->args[0]->int_value), e);
      break;
    case Fn::kTracemem:
      memory_field(e->args[0], static_cast<std::uint32_t>(e->args[1]->int_value), e);
      if (e->args.size() > 2) {
        field({FieldKind::kInt, 8, true}, value(e->args[2]));
      }
      break;
    case Fn::kPcap:
      packet_field(e);
      break;
    case Fn::kPrintf:
    case Fn::kFreopen:
    case Fn::kSystem:
      printf(e, out);
      break;
    case Fn::kSetopt:
      for (const Expr* argument : e->args) {
        string_field(string(argument));
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
    case Fn::kPrinta:
      for (const Expr* argument : e->args) {
        if (argument->kind == ExprKind::kAggregation) {
          out.aggregations.push_back(argument->index);
        } else {
          out.format = argument->text;
        }
      }
      break;
    case Fn::kStack:
    case Fn::kUstack:
    case Fn::kJstack:
      stack_field(e);
      break;
    case Fn::kExit: {
      const ValueId status = convert(value(e->args[0]), ir::Type::s32());
      b_->at(e->span);
      b_->exit(status);
      field({FieldKind::kInt, 4, true}, status);
      break;
    }
    case Fn::kCommit:
    case Fn::kDiscard:
      end_speculation(e, out);
      break;
    case Fn::kClear:
    case Fn::kDenormalize:
      out.aggregations.push_back(e->args[0]->index);
      break;
    case Fn::kTrunc:
      out.aggregations.push_back(e->args[0]->index);
      if (e->args.size() > 1) {
        out.has_trunc_count = true;
        field({FieldKind::kInt, 8, true}, value(e->args[1]));
      }
      break;
    case Fn::kNormalize:
      out.aggregations.push_back(e->args[0]->index);
      field({FieldKind::kInt, 8, false}, value(e->args[1]));
      break;
    default:
      symbol_field(e);
      break;
  }
  out.field_count = static_cast<std::uint32_t>(layout_.fields.size()) - out.first_field;
  for (std::uint32_t i = 0; i < out.field_count; ++i) {
    record::Field& value = layout_.fields[out.first_field + i];
    if (value.span.end == 0) {  // the address of printm() is its second argument
      const std::size_t argument = fn == Fn::kPrintm ? 1 : i == 0 ? 0 : e->args.size() - 1;
      value.span = argument < e->args.size() ? e->args[argument]->span : e->span;
    }
  }
  layout_.urgent = layout_.urgent || record::traits(out.kind).is_urgent;
  layout_.actions.push_back(std::move(out));
}

}  // namespace dt::d
