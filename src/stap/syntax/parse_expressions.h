#pragma once
// Expressions, by precedence.

#include <string>
#include <string_view>
#include <vector>

#include "stap/syntax/parse_state.h"
#include "stap/syntax/tree.h"

namespace dt::stap {

// @count and similar ones, and @hist_log and @hist_linear.
bool is_statistic(std::string_view name);

class ExpressionParser {
 public:
  explicit ExpressionParser(ParseState& state) : s_(state) {}

  // Null after an error.
  ExprPtr expression();
  // An operand of <<< and similar operators: no assignment.
  ExprPtr ternary();
  // @hist_log(x), which is no value.
  ExprPtr histogram();
  // [a, *, b] behind an array's name; a null pointer is *.
  bool indices(std::vector<ExprPtr>& out);

 private:
  ExprPtr binary(std::size_t level);
  bool keys_of_membership(std::vector<ExprPtr>& out);
  ExprPtr membership();
  ExprPtr unary();
  ExprPtr postfix();
  ExprPtr value();
  ExprPtr name();
  ExprPtr bracketed();
  ExprPtr target();
  ExprPtr at_operator();
  bool operands(const Expr& of);
  // A literal, or a name, as what a message has seen.
  static Token token_of(const Expr& of);
  ExprPtr members(ExprPtr of);
  bool deepen(Expr& whole, const Expr& left);
  bool parts(Expr& of);
  bool first_of_printing(std::string_view name);
  bool may_be_whole(const Token& histogram);
  // `choice`: the message if something else follows than another one or the end.
  bool arguments(std::vector<ExprPtr>& out, std::string_view choice);
  bool printing(const Expr& call);
  void pretty_print(Expr& of);
  bool statistic_parameters(Expr& of);
  ExprPtr make(ExprKind kind, const Token& at, std::string text = {});
  void close(Expr& expr);

  ParseState& s_;
  const Token* histogram_ = nullptr;  // where one may stand
  std::vector<Token> commas_;         // between the arguments that were read last
};

}  // namespace dt::stap
