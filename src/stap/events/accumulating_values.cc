// AccumulatingCode: expressions. See accumulating_code.h.
//
// Their values are those that home/expressions.cc computes.

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "stap/events/accumulating_check.h"
#include "stap/events/accumulating_code.h"
#include "stap/events/context_values.h"
#include "stap/events/operators.h"
#include "support/check.h"

namespace dt::stap {
namespace {

struct Comparison {
  std::string_view text;
  ir::Op op;
  bool swaps = false;
};
constexpr Comparison kAccumulatedComparisons[] = {
    {"==", ir::Op::kEq, false},  {"!=", ir::Op::kNe, false}, {"<", ir::Op::kLtS, false},
    {"<=", ir::Op::kLeS, false}, {">", ir::Op::kLtS, true},  {">=", ir::Op::kLeS, true}};

}  // namespace

ir::ValueId AccumulatingCode::truth(ir::ValueId value) {
  return integer(ir::Op::kNe, value, b_.constant(0, b_.type_of(value)));
}

ir::ValueId AccumulatingCode::number(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kName:
      return name(expr);
    case ExprKind::kTarget:
      return leaf(expr);
    case ExprKind::kCall:
      return call(expr);
    case ExprKind::kUnary:
      return unary(expr);
    case ExprKind::kBinary:
      return binary(expr);
    case ExprKind::kTernary:
      return ternary(expr);
    default:
      return number(expr.number);
  }
}

ir::ValueId AccumulatingCode::name(const Expr& expr) {
  const Symbol& symbol = *expr.symbol;
  if (!symbol.is_global) return b_.load(tables_.local(&symbol), ir::Type::s64());
  return number(symbol.initial == nullptr ? 0 : symbol.initial->number);
}

ir::ValueId AccumulatingCode::leaf(const Expr& expr) {
  const TargetValue found = leaf_(handler_.leaves[static_cast<std::size_t>(expr.leaf)]);
  if (found.is_readable) require(truth(*found.is_readable));
  const std::string& name = expr.text;
  if (expr.kind != ExprKind::kCall) return found.value;
  if (name == "int_arg" || name == "s32_arg") return b_.extend(found.value, ir::Type::s32());
  if (name == "uint_arg" || name == "u32_arg") return b_.extend(found.value, ir::Type::u32());
  return found.value;
}

ir::ValueId AccumulatingCode::call(const Expr& expr) {
  if (expr.leaf >= 0) return leaf(expr);
  if (expr.function != nullptr) return script_function(expr);
  const Fn fn = static_cast<Fn>(expr.builtin);
  if (fn == Fn::target) return number(program_.around.target);
  const ir::ValueId value = b_.builtin(*builtin_of(fn));
  if (ns_of(fn) == 1) return value;
  return b_.binary(ir::Op::kDivS, value, number(ns_of(fn)), ir::Type::s64());
}

// All its arguments are computed before it has any of them: f(f(x)).
ir::ValueId AccumulatingCode::script_function(const Expr& expr) {
  const Function& function = *expr.function;
  std::vector<ir::ValueId> values;
  for (const ExprPtr& kid : expr.kids) {
    const ir::ValueId value = number(*kid);
    values.push_back(b_.type_of(value) == ir::Type::s64() ? value
                                                          : b_.extend(value, ir::Type::s64()));
  }
  // What no argument is, is 0.
  for (std::size_t i = 0; i < function.locals.size(); ++i) {
    b_.store(tables_.local(function.locals[i].get()), {i < values.size() ? values[i] : number(0)});
  }
  return number(*returned_by(function));
}

ir::ValueId AccumulatingCode::unary(const Expr& expr) {
  const ir::ValueId value = number(*expr.kids[0]);
  if (expr.text == "-") return b_.unary(ir::Op::kNeg, value, ir::Type::s64());
  if (expr.text == "~") return b_.unary(ir::Op::kNot, value, ir::Type::s64());
  if (expr.text == "!") {
    return integer(ir::Op::kEq, value, b_.constant(0, b_.type_of(value)));
  }
  return value;
}

ir::ValueId AccumulatingCode::binary(const Expr& expr) {
  if (expr.text == "&&" || expr.text == "||") return shortened(expr);
  const bool is_text = expr.kids[0]->type == Type::kString;
  ir::ValueId left = is_text ? text(*expr.kids[0]) : number(*expr.kids[0]);
  ir::ValueId right = is_text ? text(*expr.kids[1]) : number(*expr.kids[1]);
  if (is_text) {
    left = b_.binary(ir::Op::kStrCmp, left, right, ir::Type::s32());
    right = b_.constant(0, ir::Type::s32());
  }
  return operation(expr, expr.text, left, right);
}

ir::ValueId AccumulatingCode::operation(const Expr& expr, std::string_view op, ir::ValueId left,
                                        ir::ValueId right) {
  for (const Comparison& one : kAccumulatedComparisons) {
    if (one.text != op) continue;
    return one.swaps ? integer(one.op, right, left) : integer(one.op, left, right);
  }
  if (const auto arithmetic = arithmetic_op(op)) return integer(*arithmetic, left, right);
  DT_CHECK(op == "/" || op == "%", "{}", op);
  b_.at(expr.span);
  require(truth(right));
  return integer(op == "/" ? ir::Op::kDivS : ir::Op::kRemS, left, right);
}

// && and ||: the right side is computed where it decides.
ir::ValueId AccumulatingCode::shortened(const Expr& expr) {
  const bool is_or = expr.text == "||";
  const ir::BlockId more = b_.block(), decided = b_.block(), end = b_.block();
  const ir::ValueId result = b_.param(end, ir::Type::s32());
  const ir::ValueId left = truth(number(*expr.kids[0]));
  b_.branch(left, is_or ? decided : more, is_or ? more : decided);
  b_.enter(decided);
  b_.jump(end, {b_.constant(is_or ? 1 : 0, ir::Type::s32())});
  b_.enter(more);
  b_.jump(end, {truth(number(*expr.kids[1]))});
  b_.enter(end);
  return result;
}

ir::ValueId AccumulatingCode::ternary(const Expr& expr) {
  const ir::BlockId then = b_.block(), otherwise = b_.block(), end = b_.block();
  const ir::ValueId result = b_.param(end, ir::Type::s64());
  b_.branch(truth(number(*expr.kids[0])), then, otherwise);
  b_.enter(then);
  b_.jump(end, {number(*expr.kids[1])});
  b_.enter(otherwise);
  b_.jump(end, {number(*expr.kids[2])});
  b_.enter(end);
  return result;
}

ir::ValueId AccumulatingCode::text(const Expr& expr) {
  if (is_function_of_probe(expr, handler_)) return b_.builtin(ir::Builtin::kProbefunc);
  const auto constant = [this](const std::string& words) {
    const auto bytes = static_cast<std::uint32_t>(words.size() + 1);
    return b_.string(tables_.text(words), ir::Type::string(bytes));
  };
  if (const auto point = known_point(expr, handler_)) return constant(*point);
  if (expr.kind == ExprKind::kCall) return b_.builtin(ir::Builtin::kExecname);
  const bool is_local = expr.kind == ExprKind::kName && !expr.symbol->is_global;
  if (is_local) return texts_.at(expr.symbol);
  static const std::string kNothing;
  const std::string& words = expr.kind == ExprKind::kString    ? expr.text
                             : expr.symbol->initial == nullptr ? kNothing
                                                               : expr.symbol->initial->text;
  return constant(std::string(until_nul(words)));
}

}  // namespace dt::stap
