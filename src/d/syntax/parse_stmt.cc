// Statements.

#include <fmt/core.h>

#include "d/syntax/parse_state.h"

namespace dt::d {

// From behind the { to behind its }.
bool Parser::block(std::vector<Stmt*>& body) {
  const Span open = last_;
  const std::size_t errors = context_.diagnostics.total();
  for (;;) {
    lexical_errors_ = lexer_.errors();
    if (accept(Tok::kRBrace)) {
      return true;
    }
    if (at(Tok::kEnd)) {
      if (context_.diagnostics.total() == errors) {  // or an error may have swallowed the }
        syntax_error().notes.push_back({open, "expected the \"}\" for this"});
      }
      return false;
    }
    if (accept(Tok::kSemi)) {
      continue;
    }
    if (Stmt* stmt = statement()) {
      body.push_back(stmt);
    } else {
      recover_statement();
      skip_else();
    }
  }
}

// Skips to behind the next ; or to the } of this block. A nested {...} on the way is skipped whole.
// What is skipped cannot give false errors, and what is not skipped can still show true ones: so
// the place decides how good the second message is.
void Parser::recover_statement() {
  std::uint32_t braces = 0;
  while (!at(Tok::kEnd)) {
    if (at(Tok::kRBrace) && braces == 0) {
      return;
    }
    const Tok kind = advance().kind;
    if (kind == Tok::kLBrace) {
      ++braces;
    } else if (kind == Tok::kRBrace) {
      --braces;
    }
    if (braces == 0 && (kind == Tok::kSemi || kind == Tok::kRBrace)) {
      return;
    }
  }
}

// What went wrong may have been the first branch of an if: its other branches
// are read, and are not in want of an if.
void Parser::skip_else() {
  while (accept(Tok::kElse)) {
    if (statement() == nullptr) {
      recover_statement();
    }
  }
}

// Skips the parenthesis after `for` and similar words, whose semicolons end nothing.
void Parser::skip_loop() {
  std::uint32_t open = 0;
  advance();
  while (!at(Tok::kEnd) && !at(Tok::kLBrace) && !at(Tok::kRBrace)) {
    if (open == 0 && !at(Tok::kLParen)) {
      return;
    }
    const Tok kind = advance().kind;
    open += kind == Tok::kLParen ? 1 : 0;
    open -= kind == Tok::kRParen ? 1 : 0;
    if (open == 0) {
      return;
    }
  }
}

// Reports a statement that cannot begin as it does, where D lacks what other
// languages have.
void Parser::statement_error() {
  switch (tok().kind) {
    case Tok::kLBrace:
      syntax_error("a block follows if or else only: D has no scopes within a clause");
      return;
    case Tok::kElse:
      syntax_error("there is no if before this else");
      return;
    case Tok::kFor:
    case Tok::kWhile:
    case Tok::kDo:
      syntax_error("D has no loops: a probe must end soon");
      return skip_loop();
    case Tok::kSwitch:
    case Tok::kGoto:
    case Tok::kReturn:
    case Tok::kBreak:
    case Tok::kContinue:
    case Tok::kCase:
    case Tok::kDefault:
      syntax_error(fmt::format("D has no \"{}\"; use if and else", token_text(tok().kind)));
      return skip_loop();
    default:
      syntax_error("variables are declared outside of clauses, or by their first assignment");
  }
}

Stmt* Parser::statement() {
  const Nest nest(*this);
  if (!nest.ok()) {
    return nullptr;
  }
  switch (tok().kind) {
    case Tok::kIf:
      return if_statement();
    case Tok::kSemi: {
      Stmt* stmt = arena_.stmt();
      stmt->span = advance().span;
      return stmt;
    }
    case Tok::kLBrace:
    case Tok::kElse:
    case Tok::kFor:
    case Tok::kWhile:
    case Tok::kDo:
    case Tok::kSwitch:
    case Tok::kGoto:
    case Tok::kReturn:
    case Tok::kBreak:
    case Tok::kContinue:
    case Tok::kCase:
    case Tok::kDefault:
      statement_error();
      return nullptr;
    case Tok::kSelf:
    case Tok::kThis:
      if (peek(1).is(Tok::kIdent) || starts_type(peek(1))) {
        statement_error();
        return nullptr;
      }
      return expression_statement();
    default:
      if (starts_type(tok()) || at(Tok::kTypedef) || at(Tok::kExtern) || at(Tok::kStatic) ||
          at(Tok::kAuto) || at(Tok::kRegister) || at(Tok::kInline)) {
        statement_error();
        return nullptr;
      }
      return expression_statement();
  }
}

Stmt* Parser::if_statement() {
  Stmt* stmt = arena_.stmt();
  stmt->kind = StmtKind::kIf;
  stmt->span = advance().span;
  if (!expect(Tok::kLParen)) {
    return nullptr;
  }
  const Span open = last_;
  stmt->expr = expression();
  if (stmt->expr == nullptr || !expect(Tok::kRParen, &open)) {
    return nullptr;
  }
  for (int branch = 0; branch < 2; ++branch) {
    Stmt* body = at(Tok::kLBrace) ? branch_block() : statement();
    if (body == nullptr) {
      return nullptr;
    }
    stmt->body.push_back(body);
    if (branch == 0 && !accept(Tok::kElse)) {
      break;
    }
  }
  stmt->span.end = last_.end;
  return stmt;
}

// { ... } of a branch. Elsewhere braces are not a statement: no name ends with a block.
Stmt* Parser::branch_block() {
  const Nest nest(*this);
  if (!nest.ok()) {
    return nullptr;
  }
  Stmt* stmt = arena_.stmt();
  stmt->kind = StmtKind::kBlock;
  stmt->span = advance().span;
  if (!block(stmt->body)) {
    return nullptr;
  }
  stmt->span.end = last_.end;
  return stmt;
}

Stmt* Parser::expression_statement() {
  Stmt* stmt = arena_.stmt();
  stmt->kind = StmtKind::kExpr;
  stmt->span = tok().span;
  stmt->expr = expression();
  if (stmt->expr == nullptr) {
    return nullptr;
  }
  stmt->span.end = last_.end;
  if (accept(Tok::kSemi) || at(Tok::kRBrace)) {
    return stmt;
  }
  const Expr& e = *stmt->expr;
  const bool word = e.kind == ExprKind::kIdent || e.kind == ExprKind::kCall;
  const std::string_view meant = word ? nearest_keyword(e.text) : std::string_view();
  Diagnostic& d = syntax_error("expected \";\" before it");
  if (!meant.empty() && !at(Tok::kEnd)) {
    d.hint = fmt::format("did you mean \"{}\" instead of \"{}\"?", meant, e.text);
  } else if (e.kind == ExprKind::kCall && at(Tok::kLBrace) &&
             (e.text == "unroll" || e.text == "repeat" || e.text == "foreach")) {
    d.hint = "D has no loops: a probe must end soon";
  } else if (e.kind == ExprKind::kIdent && (at(Tok::kIdent) || at(Tok::kStar))) {
    d.hint = "variables are declared outside of clauses, or by their first assignment";
  } else if (at(Tok::kColon)) {
    d.hint.clear();
    d.notes.push_back({body_open_, "if this is the next clause, the \"}\" for this is missing"});
  } else if (at(Tok::kEnd)) {
    d.hint.clear();
    d.notes.push_back({body_open_, "expected the \"}\" for this"});
  }
  return nullptr;
}

}  // namespace dt::d
