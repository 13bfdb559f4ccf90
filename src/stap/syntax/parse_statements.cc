// See parse_statements.h.

#include "stap/syntax/parse_statements.h"

#include <utility>

namespace dt::stap {

StmtPtr StatementParser::make(StmtKind kind) {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = kind;
  stmt->span = s_.peek().span;
  return stmt;
}

StmtPtr StatementParser::block() {
  StmtPtr whole = make(StmtKind::kBlock);
  if (!s_.expect("{")) return nullptr;
  while (!s_.accept("}")) {
    if (s_.peek().kind == TokenKind::kEnd) {
      s_.error("expected statement", s_.peek());
      return nullptr;
    }
    if (!add_statement(*whole)) return nullptr;
  }
  return whole;
}

StmtPtr StatementParser::body_of_function() {
  is_in_function_ = true;
  StmtPtr body = block();
  is_in_function_ = false;
  return body;
}

bool StatementParser::add_statement(Stmt& to) {
  StmtPtr one = statement();
  if (one == nullptr) return false;
  if (one->kind != StmtKind::kEmpty || to.kind != StmtKind::kBlock)
    to.body.push_back(std::move(one));
  return true;
}

StmtPtr StatementParser::statement() {
  if (!s_.enter()) return nullptr;
  StmtPtr out = one();
  s_.leave();
  return s_.failed() ? nullptr : std::move(out);
}

StmtPtr StatementParser::one() {
  const Token& token = s_.peek();
  if (token.is(";")) {
    StmtPtr empty = make(StmtKind::kEmpty);
    s_.take();
    return empty;
  }
  if (token.is("{")) return block();
  if (token.is("if")) return if_statement();
  if (token.is("while")) return while_statement();
  if (token.is("for")) return for_statement();
  if (token.is("foreach")) return foreach_statement();
  if (token.is("try")) return try_statement();
  if (token.is("break")) return word(StmtKind::kBreak);
  if (token.is("continue")) return word(StmtKind::kContinue);
  if (token.is("next")) return word(StmtKind::kNext);
  if (token.is("return")) return with_expression(StmtKind::kReturn);
  if (token.is("delete")) return with_expression(StmtKind::kDelete);
  const bool begins_expression =
      token.kind == TokenKind::kNumber || token.kind == TokenKind::kString ||
      token.kind == TokenKind::kEmbedded || (token.is_name() && !is_keyword(token.text)) ||
      (token.kind == TokenKind::kOperator &&
       (token.text[0] == '@' ||
        std::string_view("(+-!~++--[&").find(token.text) != std::string_view::npos));
  if (!begins_expression) {
    s_.error(token.kind == TokenKind::kOperator ? "expected literal string or number"
                                                : "expected statement",
             token);
    return nullptr;
  }
  return expression_statement();
}

StmtPtr StatementParser::expression_statement() {
  StmtPtr out = make(StmtKind::kExpr);
  out->expr = expressions_.expression();
  if (out->expr == nullptr) return nullptr;
  const bool is_switch = out->expr->kind == ExprKind::kCall && out->expr->text == "switch";
  if (is_switch && s_.peek().is("{") && (s_.peek(1).is("case") || s_.peek(1).is("default"))) {
    s_.error("the language has no 'switch': use if (...) ... else if (...) ...", s_.peek(1));
    return nullptr;
  }
  s_.accept(";");
  return out;
}

StmtPtr StatementParser::word(StmtKind kind) {
  StmtPtr out = make(kind);
  s_.take();
  s_.accept(";");
  return out;
}

StmtPtr StatementParser::with_expression(StmtKind kind) {
  if (kind == StmtKind::kReturn && !is_in_function_) {
    s_.error("found 'return' not in function context", s_.peek(), "'next' ends a handler");
    return nullptr;
  }
  StmtPtr out = word(kind);
  // `return` alone, in a function without a value.
  const bool had_semicolon = s_.last().is(";");
  if (kind == StmtKind::kReturn && (had_semicolon || s_.peek().is("}"))) return out;
  out->expr = expressions_.expression();
  if (out->expr == nullptr) return nullptr;
  s_.accept(";");
  return out;
}

StmtPtr StatementParser::if_statement() {
  StmtPtr out = make(StmtKind::kIf);
  s_.take();
  if (!s_.expect("(")) return nullptr;
  out->expr = expressions_.expression();
  if (out->expr == nullptr || !s_.expect(")") || !add_statement(*out)) return nullptr;
  // A ';' of its own before `else` belongs to the statement before.
  while (s_.peek().is(";") && s_.peek(1).is("else")) s_.take();
  if (s_.accept("else") && !add_statement(*out)) return nullptr;
  return out;
}

StmtPtr StatementParser::while_statement() {
  StmtPtr out = make(StmtKind::kWhile);
  s_.take();
  if (!s_.expect("(")) return nullptr;
  out->expr = expressions_.expression();
  if (out->expr == nullptr || !s_.expect(")") || !add_statement(*out)) return nullptr;
  return out;
}

StmtPtr StatementParser::for_statement() {
  StmtPtr out = make(StmtKind::kFor);
  s_.take();
  if (!s_.expect("(")) return nullptr;
  if (!s_.peek().is(";") && (out->init = expressions_.expression()) == nullptr) return nullptr;
  if (!s_.expect(";")) return nullptr;
  if (!s_.peek().is(";") && (out->expr = expressions_.expression()) == nullptr) return nullptr;
  if (!s_.expect(";")) return nullptr;
  if (!s_.peek().is(")") && (out->step = expressions_.expression()) == nullptr) return nullptr;
  if (!s_.expect(")") || !add_statement(*out)) return nullptr;
  return out;
}

// [a+, b] or a-, before `in`.
bool StatementParser::foreach_keys(Stmt& of) {
  const bool has_brackets = s_.accept("[");
  while (true) {
    const Token& token = s_.peek();
    if (!token.is_name() || is_keyword(token.text)) return s_.error("expected identifier", token);
    s_.take();
    of.names.push_back({token.text, token.span});
    if (s_.peek().is("+") || s_.peek().is("-")) {
      if (of.sort != SortBy::kNone) return s_.error("multiple sort directives", s_.peek());
      of.sort = SortBy::kKey;
      of.sort_key = of.names.size() - 1;
      of.descending = s_.take().is("-");
    }
    if (!has_brackets) return true;
    if (s_.accept("]")) return true;
    if (!s_.accept(",")) return s_.error("expected ',' or ']'", s_.peek());
  }
}

// name[slice], @hist_log(name[...]), with its direction, behind `in`.
bool StatementParser::foreach_array(Stmt& of) {
  const Token& token = s_.peek();
  if (!token.is_name() || is_keyword(token.text)) {
    return s_.error("expected identifier or statistical operation", token);
  }
  if (token.text[0] == '@') {
    of.expr = expressions_.histogram();
    return of.expr != nullptr &&
           ((of.expr->kind == ExprKind::kStatistic && of.expr->text.starts_with("@hist")) ||
            s_.error("expected histogram", token));
  }
  s_.take();
  of.array = {token.text, token.span};
  if (s_.peek().is("[") && !expressions_.indices(of.slice)) return false;
  if (s_.peek().text.starts_with("@") && s_.peek().kind != TokenKind::kString) {
    if (!is_statistic(s_.peek().text) || s_.peek().text.starts_with("@hist")) {
      return s_.error("expected statistical operation", s_.peek());
    }
    of.statistic = s_.take().text;
  }
  if (s_.peek().is("+") || s_.peek().is("-")) {
    if (of.sort != SortBy::kNone) return s_.error("multiple sort directives", s_.peek());
    of.sort = SortBy::kValue;
    of.descending = s_.take().is("-");
  } else if (!of.statistic.empty()) {
    return s_.error("expected sort directive", s_.peek());
  }
  return true;
}

StmtPtr StatementParser::foreach_statement() {
  StmtPtr out = make(StmtKind::kForeach);
  s_.take();
  if (!s_.expect("(")) return nullptr;
  if (s_.peek().is_name() && s_.peek(1).is("=")) {
    out->value_name = {s_.peek().text, s_.peek().span};
    s_.take();
    s_.take();
  }
  if (!foreach_keys(*out) || !s_.expect("in") || !foreach_array(*out)) return nullptr;
  if (s_.accept("limit") && (out->limit = expressions_.expression()) == nullptr) return nullptr;
  if (!s_.expect(")") || !add_statement(*out)) return nullptr;
  return out;
}

StmtPtr StatementParser::try_statement() {
  StmtPtr out = make(StmtKind::kTry);
  s_.take();
  StmtPtr tried = block();
  if (tried == nullptr || !s_.expect("catch")) return nullptr;
  out->body.push_back(std::move(tried));
  if (s_.accept("(")) {
    const Token& token = s_.peek();
    if (!token.is_name()) {
      s_.error("expected identifier", token);
      return nullptr;
    }
    s_.take();
    out->names.push_back({token.text, token.span});
    if (!s_.expect(")")) return nullptr;
  }
  StmtPtr handler = block();
  if (handler == nullptr) return nullptr;
  out->body.push_back(std::move(handler));
  return out;
}

}  // namespace dt::stap
