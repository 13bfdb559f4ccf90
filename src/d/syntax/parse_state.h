#pragma once
// The recursive-descent parser: its state and one member function for each
// rule of the grammar. Private to parser.cc and parse_*.cc.
//
// A rule that cannot go on reports one error and returns null (or false); its
// callers return at once, up to the statement, clause or declaration, which
// skips to a place from where reading makes sense again.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "d/syntax/ast.h"
#include "d/syntax/lexer.h"
#include "d/syntax/macros.h"
#include "d/syntax/parse_context.h"
#include "d/syntax/token.h"

namespace dt::d {

class Parser {
 public:
  Parser(std::uint32_t source, front::Input::Spec spec, ParseContext& context);
  std::optional<Unit> run();

 private:
  // ok() is false beyond kMaxDepth, after one message: the parser, the checker and the lowering
  // recurse as deep as the tree, and a script of a million brackets must not exhaust the stack.
  //
  // Counts a level of nesting for as long as it lives.
  class Nest {
   public:
    explicit Nest(Parser& parser);
    ~Nest() { --parser_.depth_; }
    Nest(const Nest&) = delete;
    Nest& operator=(const Nest&) = delete;
    bool ok() const { return ok_; }

   private:
    Parser& parser_;
    bool ok_;
  };

  // ---- Tokens (parser.cc)
  static constexpr std::size_t kLookahead = 16;
  const Token& tok() { return peek(0); }
  const Token& peek(std::size_t n);
  Token advance();
  bool at(Tok kind) { return tok().is(kind); }
  bool accept(Tok kind);
  // `open` is the bracket that `kind` closes.
  bool expect(Tok kind, const Span* open = nullptr);
  void leave_item();

  // ---- Errors (parser.cc)
  Diagnostic& syntax_error(std::string hint = {});
  Diagnostic& error(std::string_view tag, Span span, std::string text);
  // A second error at the place of the first one, or after a lexical error of this statement, would
  // only follow from it.
  bool suppressed() const;
  std::string near_text(const Token& token) const;

  // ---- Items (parser.cc)
  void item();
  void clause();
  bool probe_list(Clause& clause);
  bool is_of_program(std::string_view kind);
  void check_fields(const Token& probe, std::size_t fields);
  std::string complete(const Token& probe);
  void recover_item();
  bool on_new_line(Span span) const;
  void flush_pragmas(std::uint32_t before, bool nested);
  template <typename T>
  void add_item(Item::Kind kind, std::vector<T>& list, T value);

  // ---- Statements (parse_stmt.cc)
  bool block(std::vector<Stmt*>& body);
  Stmt* statement();
  Stmt* if_statement();
  Stmt* branch_block();
  Stmt* expression_statement();
  void statement_error();
  void recover_statement();
  void skip_else();
  void skip_loop();

  // ---- Expressions (parse_expr.cc)
  Expr* expression();
  Expr* assignment();
  Expr* conditional();
  Expr* binary(int least);
  Expr* cast();
  Expr* unary();
  Expr* postfix(Expr* base);
  Expr* make(ExprKind kind, Op op, Span span, std::vector<Expr*> args);
  // "(" may begin a cast, an operand or the parameters of a function type. These look ahead as far
  // as it takes, without consuming anything.
  bool starts_cast();
  bool starts_parenthesized_type(bool certain);
  bool arguments(Tok close, const Span& open, std::vector<Expr*>& out);

  // ---- Operands (parse_primary.cc)
  Expr* primary();
  Expr* parenthesized();
  Expr* leaf(ExprKind kind);
  Expr* integer();
  Expr* aggregation();
  Expr* scoped_variable(ExprKind kind);
  Expr* size_of();
  Expr* string_of();
  Expr* offset_of();
  Expr* xlate();
  Expr* call(Expr* function);
  Expr* index(Expr* base);
  Expr* member(Expr* base);
  bool member_name(Expr& into);

  // ---- Types (parse_type.cc)
  bool starts_type(const Token& token) const;
  // Asks the script's own declarations first, then the type catalogue, which may load a D library
  // or the kernel's type information. The answer is kept, so each name is asked for once.
  bool is_type_name(std::string_view name, std::string_view module = {});
  bool specifiers(TypeSpec& spec, bool storage_allowed);
  bool specifier_word(TypeSpec& spec, bool storage_allowed, bool& taken);
  bool storage_word(TypeSpec& spec, Storage storage);
  bool is_named_type(const TypeSpec& spec, const Token& token);
  bool base_word(TypeSpec& spec);
  bool tagged_type(TypeSpec& spec);
  StructDecl* struct_body();
  bool struct_field(StructDecl& into);
  EnumDecl* enum_body();
  bool declarator(Declarator& into);
  bool direct_declarator(Declarator& into);
  bool at_declared_name();
  bool array_suffix(Declarator& into);
  bool function_suffix(Declarator& into);
  bool nested_declarator_follows();
  TypeName* type_name();
  TypeName* parameter(std::string& name);
  bool bit_width(Declarator& into);

  // ---- Declarations (parse_decl.cc)
  bool declaration();
  void skip_function();
  void skip_initializer();
  std::string expected_name();
  bool inline_declaration();
  bool translator();
  bool translator_member(Translator& into);
  bool provider();
  bool provider_probe(ProviderDecl& into);
  bool parameters(std::vector<TypeName*>& types, std::vector<std::string>& names, bool& variadic);

  std::uint32_t source_;
  front::Input::Spec spec_;
  ParseContext& context_;
  Arena& arena_;
  Macros macros_;
  Lexer lexer_;
  Unit unit_;

  std::array<Token, kLookahead> ahead_;
  std::size_t ahead_begin_ = 0;
  std::size_t ahead_count_ = 0;
  Span last_;                      // of the token that was taken last
  std::uint32_t item_braces_ = 0;  // { that this item has open

  std::uint32_t depth_ = 0;
  std::size_t lexical_errors_ = 0;  // the lexer's, when this statement began
  std::uint32_t error_place_ = 0;   // of the last syntax error, to say it once
  bool any_error_place_ = false;
  bool in_probe_ = false;                             // among the arguments of a provider's probe
  Diagnostic ignored_;                                // takes what a suppressed error is given
  Span body_open_;                                    // the { of this clause's body
  std::unordered_map<std::string, bool> type_names_;  // of the script; and asked-for ones
  std::size_t next_pragma_ = 0;
};

}  // namespace dt::d
