// Expressions from the comma down to the unary operators, by C's precedence;
// ^^ stands between && and ||.
//
// Precedence climbing: for each level, operands of the next higher one are read, as long as
// operators of this level follow. Recursion over the user's text has a limit, because its depth is
// the depth of the text.

#include <fmt/core.h>

#include <algorithm>

#include "d/syntax/parse_state.h"

namespace dt::d {
namespace {

struct BinaryOp {
  int precedence = 0;  // 0: no binary operator; higher binds tighter
  Op op = Op::kNone;
};

BinaryOp binary_op(Tok kind) {
  switch (kind) {
    case Tok::kOrOr:
      return {1, Op::kLogOr};
    case Tok::kXorXor:
      return {2, Op::kLogXor};
    case Tok::kAndAnd:
      return {3, Op::kLogAnd};
    case Tok::kPipe:
      return {4, Op::kOr};
    case Tok::kCaret:
      return {5, Op::kXor};
    case Tok::kAmp:
      return {6, Op::kAnd};
    case Tok::kEqEq:
      return {7, Op::kEq};
    case Tok::kNotEq:
      return {7, Op::kNe};
    case Tok::kLess:
      return {8, Op::kLt};
    case Tok::kLessEq:
      return {8, Op::kLe};
    case Tok::kGreater:
      return {8, Op::kGt};
    case Tok::kGreaterEq:
      return {8, Op::kGe};
    case Tok::kShl:
      return {9, Op::kShl};
    case Tok::kShr:
      return {9, Op::kShr};
    case Tok::kPlus:
      return {10, Op::kAdd};
    case Tok::kMinus:
      return {10, Op::kSub};
    case Tok::kStar:
      return {11, Op::kMul};
    case Tok::kSlash:
      return {11, Op::kDiv};
    case Tok::kPercent:
      return {11, Op::kMod};
    default:
      return {};
  }
}

// The operator within an assignment operator; nullopt for other tokens.
std::optional<Op> assignment_op(Tok kind) {
  switch (kind) {
    case Tok::kAssign:
      return Op::kNone;
    case Tok::kAddAssign:
      return Op::kAdd;
    case Tok::kSubAssign:
      return Op::kSub;
    case Tok::kMulAssign:
      return Op::kMul;
    case Tok::kDivAssign:
      return Op::kDiv;
    case Tok::kModAssign:
      return Op::kMod;
    case Tok::kShlAssign:
      return Op::kShl;
    case Tok::kShrAssign:
      return Op::kShr;
    case Tok::kAndAssign:
      return Op::kAnd;
    case Tok::kOrAssign:
      return Op::kOr;
    case Tok::kXorAssign:
      return Op::kXor;
    default:
      return std::nullopt;
  }
}

Op unary_op(Tok kind) {
  switch (kind) {
    case Tok::kMinus:
      return Op::kNeg;
    case Tok::kPlus:
      return Op::kPlus;
    case Tok::kTilde:
      return Op::kBitNot;
    case Tok::kBang:
      return Op::kNot;
    case Tok::kStar:
      return Op::kDeref;
    case Tok::kAmp:
      return Op::kAddrOf;
    case Tok::kInc:
      return Op::kInc;
    case Tok::kDec:
      return Op::kDec;
    default:
      return Op::kNone;
  }
}

// Whether `kind` after `(name)` can only begin the operand of a cast.
bool begins_operand(Tok kind) {
  switch (kind) {
    case Tok::kIdent:
    case Tok::kScoped:
    case Tok::kAgg:
    case Tok::kInt:
    case Tok::kFloat:
    case Tok::kString:
    case Tok::kSelf:
    case Tok::kThis:
    case Tok::kSizeof:
    case Tok::kStringof:
    case Tok::kOffsetof:
    case Tok::kXlate:
    case Tok::kBang:
    case Tok::kTilde:
      return true;
    default:
      return false;
  }
}

// Whether `kind` after `(name)` begins an operand or continues the expression.
bool may_begin_operand(Tok kind) { return unary_op(kind) != Op::kNone || kind == Tok::kLParen; }

}  // namespace

Expr* Parser::make(ExprKind kind, Op op, Span span, std::vector<Expr*> args) {
  Expr* out = arena_.expr();
  out->kind = kind;
  out->op = op;
  out->span = span;
  out->args = std::move(args);
  for (const Expr* arg : out->args) {
    out->height = std::max<std::uint16_t>(out->height, static_cast<std::uint16_t>(arg->height + 1));
  }
  if (out->height > kMaxHeight) {
    error("D_SYNTAX", last_,
          fmt::format("this expression is more than {} levels deep", kMaxHeight));
    return nullptr;
  }
  return out;
}

Expr* Parser::expression() {
  Expr* left = assignment();
  while (left != nullptr && accept(Tok::kComma)) {
    Expr* right = assignment();
    if (right == nullptr) {
      return nullptr;
    }
    left = make(ExprKind::kComma, Op::kNone, support::join(left->span, right->span), {left, right});
  }
  return left;
}

Expr* Parser::assignment() {
  const Nest nest(*this);
  if (!nest.ok()) {
    return nullptr;
  }
  Expr* left = conditional();
  if (left == nullptr) {
    return nullptr;
  }
  const std::optional<Op> op = assignment_op(tok().kind);
  if (!op) {
    return left;
  }
  if (!left->parenthesized && (left->kind == ExprKind::kBinary ||
                               left->kind == ExprKind::kTernary || left->kind == ExprKind::kCast)) {
    syntax_error("what stands before it cannot be assigned to");
    return nullptr;
  }
  advance();
  Expr* right = assignment();
  if (right == nullptr) {
    return nullptr;
  }
  return make(ExprKind::kAssign, *op, support::join(left->span, right->span), {left, right});
}

Expr* Parser::conditional() {
  Expr* condition = binary(1);
  if (condition == nullptr || !at(Tok::kQuestion)) {
    return condition;
  }
  const Nest nest(*this);
  if (!nest.ok()) {
    return nullptr;
  }
  const Span question = advance().span;
  Expr* yes = expression();
  if (yes == nullptr || !expect(Tok::kColon, &question)) {
    return nullptr;
  }
  Expr* no = conditional();
  if (no == nullptr) {
    return nullptr;
  }
  return make(ExprKind::kTernary, Op::kNone, support::join(condition->span, no->span),
              {condition, yes, no});
}

Expr* Parser::binary(int least) {
  Expr* left = cast();
  while (left != nullptr) {
    const BinaryOp found = binary_op(tok().kind);
    if (found.precedence < least) {
      return left;
    }
    advance();
    Expr* right = binary(found.precedence + 1);
    if (right == nullptr) {
      return nullptr;
    }
    left = make(ExprKind::kBinary, found.op, support::join(left->span, right->span), {left, right});
  }
  return nullptr;
}

// Whether the parenthesis at hand holds a type. `(name)` and `(name *)` are
// decided by what follows, and only where that may be both by asking for the
// name. With `certain` a name is always asked for (sizeof).
bool Parser::starts_parenthesized_type(bool certain) {
  const Token name = peek(1);
  if (starts_type(name)) {
    return true;
  }
  if (!name.is(Tok::kIdent) && !name.is(Tok::kScoped)) {
    return false;
  }
  if (certain && (peek(2).is(Tok::kRParen) || peek(2).is(Tok::kLBracket))) {
    return is_type_name(name.text, name.module);
  }
  std::size_t n = 2;
  while (n + 2 < kLookahead && peek(n).is(Tok::kStar)) {
    ++n;
  }
  if (n > 2) {
    return peek(n).is(Tok::kRParen) || peek(n).is(Tok::kConst) || peek(n).is(Tok::kVolatile);
  }
  if (peek(2).is(Tok::kLParen) && peek(3).is(Tok::kStar) && peek(4).is(Tok::kRParen)) {
    return is_type_name(name.text, name.module);  // (type (*)[3]) or (f(*))
  }
  if (!peek(2).is(Tok::kRParen)) {
    return false;
  }
  const Tok after = peek(3).kind;
  return begins_operand(after) ||
         (may_begin_operand(after) && is_type_name(name.text, name.module));
}

bool Parser::starts_cast() { return at(Tok::kLParen) && starts_parenthesized_type(false); }

Expr* Parser::cast() {
  if (!starts_cast()) {
    return unary();
  }
  const Nest nest(*this);
  if (!nest.ok()) {
    return nullptr;
  }
  const Span open = advance().span;
  TypeName* type = type_name();
  if (type == nullptr || !expect(Tok::kRParen, &open)) {
    return nullptr;
  }
  Expr* operand = cast();
  if (operand == nullptr) {
    return nullptr;
  }
  Expr* out = make(ExprKind::kCast, Op::kNone, support::join(open, operand->span), {operand});
  if (out != nullptr) {
    out->type_name = type;
  }
  return out;
}

Expr* Parser::unary() {
  const Op op = unary_op(tok().kind);
  if (op == Op::kNone) {
    return postfix(primary());
  }
  const Nest nest(*this);
  if (!nest.ok()) {
    return nullptr;
  }
  const Span sign = advance().span;
  Expr* operand = cast();
  if (operand == nullptr) {
    return nullptr;
  }
  return make(ExprKind::kUnary, op, support::join(sign, operand->span), {operand});
}

// What may follow an operand: [...] (...) .name ->name ++ --
Expr* Parser::postfix(Expr* base) {
  while (base != nullptr) {
    switch (tok().kind) {
      case Tok::kLBracket:
        base = index(base);
        break;
      case Tok::kLParen:
        base = call(base);
        break;
      case Tok::kDot:
      case Tok::kArrow:
        base = member(base);
        break;
      case Tok::kInc:
      case Tok::kDec: {
        const Op op = at(Tok::kInc) ? Op::kInc : Op::kDec;
        const Span sign = advance().span;
        base = make(ExprKind::kPostfix, op, support::join(base->span, sign), {base});
        break;
      }
      default:
        return base;
    }
  }
  return nullptr;
}

// Expressions with commas between them, from behind the opening bracket to
// behind the closing one.
bool Parser::arguments(Tok close, const Span& open, std::vector<Expr*>& out) {
  do {
    Expr* argument = assignment();
    if (argument == nullptr) {
      return false;
    }
    out.push_back(argument);
  } while (accept(Tok::kComma));
  return expect(close, &open);
}

}  // namespace dt::d
