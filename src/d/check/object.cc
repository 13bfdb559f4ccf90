// Objects in variables: what a variable may hold, elements within bounds, and
// where an array in a variable may stand. Such an array has no address that a
// script could hold: it is a value, of which elements and strings are taken.

#include "d/meaning/object.h"

#include "d/check/checker.h"

namespace dt::d {

using types::TypeId;

namespace {

// Subroutines that read or write the memory that a pointer leads to, and are
// done with it then: a copy of an array serves as well.
bool takes_copies(Fn fn) {
  return fn == Fn::kBcopy || fn == Fn::kCopyinto || fn == Fn::kCopyout || makes_address_text(fn);
}

// Of one variable. The kernel gives a thread's variables together little more.
constexpr std::uint32_t kMaxVariableBytes = 32768;

}  // namespace

bool Checker::may_hold(Span span, std::string_view name, TypeId type) {
  const auto refuse = [&](const char* tag, std::string why) {
    error(tag, span, std::move(why));
    return false;
  };
  if (rules_.is_string(type) || rules_.is_integer(type) ||
      rules_.kind(type) == types::Kind::kPointer) {
    return true;
  }
  if (!is_object(type, rules_)) {
    return refuse("D_UNKNOWN", fmt::format("a variable cannot hold a value of type \"{}\": {}",
                                           rules_.name(type), name));
  }
  const std::uint32_t size = rules_.size(type);
  if (size == 0) {
    return refuse("D_DECL_INCOMPLETE",
                  fmt::format("incomplete struct/union/enum {}: {}", rules_.name(type), name));
  }
  if (size > kMaxVariableBytes) {
    return refuse("D_DECL_ARRBIG",
                  fmt::format("a variable of {} bytes is too large: the limit is {}: {}", size,
                              kMaxVariableBytes, name));
  }
  return true;
}

// A constant index of an array in a variable is within it; others are checked
// when the clause runs.
bool Checker::within_bounds(const Expr* base, const Expr* at) {
  if (rules_.kind(base->type) != types::Kind::kArray || home_of(base, rules_) == Home::kMemory ||
      !at->is_constant) {
    return true;
  }
  const std::uint32_t count = rules_.at(base->type).count;
  const auto index = static_cast<std::int64_t>(at->int_value);
  if (index >= 0 && index < count) {
    return true;
  }
  error("D_ARR_BADREF", at->span,
        fmt::format("index {} is out of range for {}: it has {} element{}", index,
                    sources_.text(base->span), count, count == 1 ? "" : "s"));
  return false;
}

void Checker::refuse_address(const Expr* e) {
  error("D_ADDROF_VAR", e->span,
        fmt::format("cannot take address of a variable: {}", sources_.text(e->span)))
      .hint = rules_.kind(e->type) == types::Kind::kArray
                  ? "an array in a variable is a value: use its elements, or it as a string"
                  : "";
}

void Checker::arrays_of(const Stmt& stmt) {
  if (stmt.expr != nullptr) {
    arrays_in(stmt.expr, stmt.kind == StmtKind::kExpr);
  }
  for (const Stmt* inner : stmt.body) {
    arrays_of(*inner);
  }
}

// `whole`: the place takes an array as it is, and does not want its address.
void Checker::arrays_in(const Expr* e, bool whole) {
  if (bad(e)) {
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
      arrays_in(e->args[0], !e->arrow);
      return;
    case ExprKind::kAggregation:
      for (const Expr* key : e->args) {
        arrays_in(key, is_string_operand(key));
      }
      return;
    case ExprKind::kIndex:
      if (e->symbol == Symbol::kUnresolved) {
        arrays_in(e->args[0], rules_.kind(e->args[0]->type) == types::Kind::kArray);
      }
      for (std::size_t i = 1; i < e->args.size(); ++i) {
        arrays_in(e->args[i], is_string_operand(e->args[i]));
      }
      return;
    case ExprKind::kCall:
      arrays_in_call(e);
      return;
    default:
      break;
  }
  for (std::size_t i = 0; i < e->args.size(); ++i) {
    arrays_in(e->args[i], takes_whole(e, i));
  }
}

// Whether the operand of an operator is wanted as it is.
bool Checker::takes_whole(const Expr* e, std::size_t operand) const {
  const auto takes = [this](TypeId type) {
    return rules_.is_string(type) || is_object(type, rules_);
  };
  switch (e->kind) {
    case ExprKind::kStringof:
      return true;
    case ExprKind::kCast:
      return rules_.is_string(e->type) || rules_.is_void(e->type);
    case ExprKind::kAssign:
      return operand == 0 || bad(e->args[0]) || takes(e->args[0]->type);
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

void Checker::arrays_in_call(const Expr* e) {
  const FunctionInfo* info = find_function(e->text);
  if (info == nullptr) {
    return;
  }
  const Prototype wanted = parse_prototype(info->prototype);
  const bool copies = takes_copies(info->fn);
  for (std::size_t i = 0; i < e->args.size(); ++i) {
    const std::string_view parameter =
        i < wanted.parameters.size() ? wanted.parameters[i] : std::string_view("@");
    arrays_in(e->args[i], copies || parameter == "@" || parameter == "string" ||
                              parameter == "const char *" || parameter == "char *");
  }
}

}  // namespace dt::d
