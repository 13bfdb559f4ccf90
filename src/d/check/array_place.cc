// Where an array in a variable may stand.

#include "d/check/array_place.h"

#include <fmt/core.h>

#include "d/meaning/function_table.h"
#include "d/meaning/object.h"

namespace dt::d {

using types::TypeId;

namespace {

// Subroutines that read or write the memory that a pointer leads to, and are
// done with it then: a copy of an array serves as well.
bool takes_copies(Fn fn) {
  return fn == Fn::kBcopy || fn == Fn::kCopyinto || fn == Fn::kCopyout || makes_address_text(fn);
}

}  // namespace

void ArrayPlaces::refuse_address(const Expr* e) {
  diagnostics_
      .error("D_ADDROF_VAR", e->span,
             fmt::format("cannot take address of a variable: {}", sources_.text(e->span)))
      .hint = rules_.kind(e->type) == types::Kind::kArray
                  ? "an array in a variable is a value: use its elements, or it as a string"
                  : "";
}

void ArrayPlaces::statement(const Stmt& stmt) {
  if (stmt.expr != nullptr) {
    expression(stmt.expr, stmt.kind == StmtKind::kExpr);
  }
  for (const Stmt* inner : stmt.body) {
    statement(*inner);
  }
}

// `whole`: the place takes an array as it is, and does not want its address.
void ArrayPlaces::expression(const Expr* e, bool whole) {
  if (e->type == TypeId{}) {
    return;
  }
  if (!whole && rules_.kind(e->type) == types::Kind::kArray &&
      home_of(e, rules_) != Home::kMemory) {
    refuse_address(e);
    return;
  }
  switch (e->kind) {
    case ExprKind::kSizeofType:
    case ExprKind::kSizeofExpr:
    case ExprKind::kOffsetof:
      return;
    case ExprKind::kMember:
      expression(e->args[0], !e->arrow);
      return;
    case ExprKind::kAggregation:
      for (const Expr* key : e->args) {
        expression(key, rules_.is_string_like(key->type));
      }
      return;
    case ExprKind::kIndex:
      if (e->symbol == Symbol::kUnresolved) {
        expression(e->args[0], rules_.kind(e->args[0]->type) == types::Kind::kArray);
      }
      for (std::size_t i = 1; i < e->args.size(); ++i) {
        expression(e->args[i], rules_.is_string_like(e->args[i]->type));
      }
      return;
    case ExprKind::kCall:
      call(e);
      return;
    default:
      break;
  }
  for (std::size_t i = 0; i < e->args.size(); ++i) {
    expression(e->args[i], takes_whole(e, i));
  }
}

// Whether the operand of an operator is wanted as it is.
bool ArrayPlaces::takes_whole(const Expr* e, std::size_t operand) const {
  const auto takes = [this](TypeId type) {
    return rules_.is_string(type) || is_object(type, rules_);
  };
  switch (e->kind) {
    case ExprKind::kStringof:
      return true;
    case ExprKind::kCast:
      return rules_.is_string(e->type) || rules_.is_void(e->type);
    case ExprKind::kAssign:
      return operand == 0 || e->args[0]->type == TypeId{} || takes(e->args[0]->type);
    case ExprKind::kTernary:
      return operand > 0 && takes(e->type);
    case ExprKind::kComma:
      return operand == 0 || takes(e->type);
    case ExprKind::kBinary: {
      const TypeId left = e->args[0]->type;
      const TypeId right = e->args[1]->type;
      const bool compares = e->op == Op::kEq || e->op == Op::kNe || e->op == Op::kLt ||
                            e->op == Op::kLe || e->op == Op::kGt || e->op == Op::kGe;
      return compares && (rules_.is_string(left) || rules_.is_string(right) ||
                          (rules_.is_char_array(left) && rules_.is_char_array(right)));
    }
    default:
      return false;
  }
}

void ArrayPlaces::call(const Expr* e) {
  const FunctionInfo* info = find_function(e->text);
  if (info == nullptr) {
    return;
  }
  const Prototype wanted = parse_prototype(info->prototype);
  const bool copies = takes_copies(info->fn);
  for (std::size_t i = 0; i < e->args.size(); ++i) {
    const std::string_view parameter =
        i < wanted.parameters.size() ? wanted.parameters[i] : std::string_view("@");
    expression(e->args[i], copies || parameter == "@" || parameter == "string" ||
                               parameter == "const char *" || parameter == "char *");
  }
}

}  // namespace dt::d
