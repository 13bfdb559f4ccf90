#pragma once
// The tree as text (-xdump=ast): one node a line, its children indented below
// it. The words of a node: what it is, "line:col-line:col", its name or value.

#include <string>
#include <string_view>

#include "d/syntax/ast.h"
#include "support/source.h"

namespace dt::d {

class AstPrinter {
 public:
  explicit AstPrinter(const Sources& sources) : sources_(sources) {}
  void unit(const Unit& unit);
  void expr(const Expr& expr);
  void stmt(const Stmt& stmt);
  std::string take() { return std::move(out_); }

 private:
  void line(std::string_view text);
  std::string place(Span span) const;

  void clause(const Clause& clause);
  void declaration(const Declaration& declaration);
  void inline_(const Inline& inline_value);
  void translator(const Translator& translator);
  void provider(const ProviderDecl& provider);
  void spec(const TypeSpec& spec);
  void declarator(const Declarator& declarator);
  void part(const Declarator::Part& part);
  void type(std::string_view role, const TypeName& type, std::string_view name = {});

  const Sources& sources_;
  std::string out_;
  std::size_t indent_ = 0;
};

// What a node is: "ident", "binary", "sizeof-type".
const char* kind_word(ExprKind kind);

// `text` in quotes, with escapes for what does not print.
std::string quoted_string(std::string_view text);

}  // namespace dt::d
