// Operands: constants, names, calls, members, and the operators that look like
// functions.

#include <fmt/core.h>

#include "d/syntax/parse_state.h"

namespace dt::d {

// A node of the token at hand, with its text.
Expr* Parser::leaf(ExprKind kind) {
  Expr* out = arena_.expr();
  const Token token = advance();
  out->kind = kind;
  out->span = out->name_span = token.span;
  out->text = token.text;
  out->module = token.module;
  return out;
}

Expr* Parser::primary() {
  switch (tok().kind) {
    case Tok::kIdent:
      return leaf(ExprKind::kIdent);
    case Tok::kScoped:
      return leaf(ExprKind::kScoped);
    case Tok::kFloat:
      return leaf(ExprKind::kFloat);
    case Tok::kString:
      return leaf(ExprKind::kString);
    case Tok::kInt:
      return integer();
    case Tok::kAgg:
      return aggregation();
    case Tok::kSelf:
      return scoped_variable(ExprKind::kThreadVar);
    case Tok::kThis:
      return scoped_variable(ExprKind::kClauseVar);
    case Tok::kLParen:
      return parenthesized();
    case Tok::kSizeof:
      return size_of();
    case Tok::kStringof:
      return string_of();
    case Tok::kOffsetof:
      return offset_of();
    case Tok::kXlate:
      return xlate();
    default:
      syntax_error(tok().is_keyword()
                       ? fmt::format("\"{}\" is a reserved word", token_text(tok().kind))
                       : std::string());
      return nullptr;
  }
}

Expr* Parser::integer() {
  const Token token = advance();
  Expr* out = arena_.expr();
  out->span = token.span;
  out->int_value = token.value;
  if (!token.is_char) out->text = std::string(token.text);  // octals have other types
  out->int_unsigned = token.is_unsigned;
  out->int_longs = token.longs;
  out->is_char = token.is_char;
  if (!token.negative) {
    return out;
  }
  out = make(ExprKind::kUnary, Op::kNeg, token.span, {out});
  out->parenthesized = true;  // a macro's value is one operand
  return out;
}

Expr* Parser::aggregation() {
  Expr* out = leaf(ExprKind::kAggregation);
  if (!at(Tok::kLBracket)) {
    return out;
  }
  const Span open = advance().span;
  std::vector<Expr*> keys;
  if (!arguments(Tok::kRBracket, open, keys)) {
    return nullptr;
  }
  Expr* keyed =
      make(ExprKind::kAggregation, Op::kNone, support::join(out->span, last_), std::move(keys));
  if (keyed != nullptr) {
    keyed->text = std::move(out->text);
    keyed->name_span = out->name_span;
  }
  return keyed;
}

// self->name and this->name.
Expr* Parser::scoped_variable(ExprKind kind) {
  const Span word = advance().span;
  if (!accept(Tok::kArrow)) {
    syntax_error(fmt::format("expected \"->\" after \"{}\"",
                             kind == ExprKind::kThreadVar ? "self" : "this"));
    return nullptr;
  }
  Expr* out = arena_.expr();
  out->kind = kind;
  if (!member_name(*out)) {
    return nullptr;
  }
  out->span = support::join(word, last_);
  return out;
}

// A name after -> or a point, where keywords are names: p->counter.
bool Parser::member_name(Expr& into) {
  if (!at(Tok::kIdent) && !tok().is_keyword()) {
    syntax_error("expected a name");
    return false;
  }
  const Token name = advance();
  into.text = name.text;
  into.name_span = name.span;
  return true;
}

Expr* Parser::parenthesized() {
  const Span open = advance().span;
  Expr* inner = expression();
  if (inner == nullptr || !expect(Tok::kRParen, &open)) {
    return nullptr;
  }
  inner->span = support::join(open, last_);
  inner->parenthesized = true;
  return inner;
}

Expr* Parser::size_of() {
  const Span word = advance().span;
  if (at(Tok::kLParen) && starts_parenthesized_type(true)) {
    const Span open = advance().span;
    TypeName* type = type_name();
    if (type == nullptr || !expect(Tok::kRParen, &open)) {
      return nullptr;
    }
    Expr* out = make(ExprKind::kSizeofType, Op::kNone, support::join(word, last_), {});
    out->type_name = type;
    return out;
  }
  const Nest nest(*this);
  Expr* operand = nest.ok() ? unary() : nullptr;
  if (operand == nullptr) {
    return nullptr;
  }
  return make(ExprKind::kSizeofExpr, Op::kNone, support::join(word, operand->span), {operand});
}

Expr* Parser::string_of() {
  const Span word = advance().span;
  const Nest nest(*this);
  Expr* operand = nest.ok() ? unary() : nullptr;
  if (operand == nullptr) {
    return nullptr;
  }
  return make(ExprKind::kStringof, Op::kNone, support::join(word, operand->span), {operand});
}

// offsetof(type, member)
Expr* Parser::offset_of() {
  const Span word = advance().span;
  if (!expect(Tok::kLParen)) {
    return nullptr;
  }
  const Span open = last_;
  TypeName* type = type_name();
  if (type == nullptr || !expect(Tok::kComma)) {
    return nullptr;
  }
  Expr* out = arena_.expr();
  out->kind = ExprKind::kOffsetof;
  out->type_name = type;
  if (!member_name(*out) || !expect(Tok::kRParen, &open)) {
    return nullptr;
  }
  out->span = support::join(word, last_);
  return out;
}

// xlate <type> (expression)
Expr* Parser::xlate() {
  const Span word = advance().span;
  if (!expect(Tok::kLess)) {
    return nullptr;
  }
  TypeName* type = type_name();
  if (type == nullptr || !expect(Tok::kGreater) || !expect(Tok::kLParen)) {
    return nullptr;
  }
  const Span open = last_;
  Expr* operand = expression();
  if (operand == nullptr || !expect(Tok::kRParen, &open)) {
    return nullptr;
  }
  Expr* out = make(ExprKind::kXlate, Op::kNone, support::join(word, last_), {operand});
  if (out != nullptr) {
    out->type_name = type;
  }
  return out;
}

Expr* Parser::call(Expr* function) {
  if (function->kind != ExprKind::kIdent || function->parenthesized) {
    error("D_FUNC_IDENT", function->span, "only a function can be called, by its name");
    return nullptr;
  }
  const Span open = advance().span;
  std::vector<Expr*> args;
  if (!accept(Tok::kRParen) && !arguments(Tok::kRParen, open, args)) {
    return nullptr;
  }
  Expr* out =
      make(ExprKind::kCall, Op::kNone, support::join(function->span, last_), std::move(args));
  if (out != nullptr) {
    out->text = std::move(function->text);
    out->name_span = function->name_span;
  }
  return out;
}

Expr* Parser::index(Expr* base) {
  const Span open = advance().span;
  std::vector<Expr*> args{base};
  if (!arguments(Tok::kRBracket, open, args)) {
    return nullptr;
  }
  return make(ExprKind::kIndex, Op::kNone, support::join(base->span, last_), std::move(args));
}

Expr* Parser::member(Expr* base) {
  const bool arrow = advance().is(Tok::kArrow);
  Expr* out = make(ExprKind::kMember, Op::kNone, base->span, {base});
  if (out == nullptr || !member_name(*out)) {
    return nullptr;
  }
  out->arrow = arrow;
  out->span = support::join(base->span, last_);
  return out;
}

}  // namespace dt::d
