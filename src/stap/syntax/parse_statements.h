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
  // The body of a function, where `return` may stand.
  StmtPtr body_of_function();

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
  bool is_in_function_ = false;
};

}  // namespace dt::stap
