#pragma once
// Statements and blocks.

#include "stap/syntax/parse_expressions.h"
#include "stap/syntax/parse_state.h"
#include "stap/syntax/tree.h"

namespace dt::stap {

class StatementParser {
 public:
  StatementParser(ParseState& state, ExpressionParser& expressions)
      : s_(state), expressions_(expressions) {}

  // { ... }; null after an error.
  StmtPtr block();

 private:
  StmtPtr statement();
  StmtPtr one();
  StmtPtr expression_statement();
  StmtPtr if_statement();
  StmtPtr while_statement();
  StmtPtr for_statement();
  StmtPtr foreach_statement();
  bool foreach_keys(Stmt& of);
  bool foreach_array(Stmt& of);
  StmtPtr try_statement();
  StmtPtr word(StmtKind kind);
  StmtPtr with_expression(StmtKind kind);
  StmtPtr make(StmtKind kind);
  bool add_statement(Stmt& to);

  ParseState& s_;
  ExpressionParser& expressions_;
};

}  // namespace dt::stap
