#pragma once
// Text -> tokens.
//
// What a character means depends on where it stands: outside of clauses
// `syscall::re*:entry` is one probe description, inside it would be eight
// tokens; a `/` ends a predicate or divides. The lexer knows by itself where
// it is, so that tokens can be read ahead and printed without a parser:
//
//          probe text        { -> body, to the matching }
//     kTop ---------- / ->   predicate, to the / before { or the line's end
//          a type or storage word, or `name name` -> declaration, to its ;
//
// Pragmas and line markers may stand on any line of their own; they are not
// tokens.

#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "d/syntax/ast.h"
#include "d/syntax/characters.h"
#include "d/syntax/macros.h"
#include "d/syntax/token.h"
#include "front/input.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::d {

class Lexer {
 public:
  struct Setup {
    Source& source;
    std::uint32_t source_index;
    front::Input::Spec spec;
    bool add_markers;
  };
  Lexer(const Setup& setup, Macros& macros, Diagnostics& diagnostics);

  // The next token; kEnd for ever at the end and once there are too many errors.
  Token next();
  // Leaves a declaration, predicate or body that went wrong: what follows is
  // read as outside of clauses.
  void leave_item();
  // Pragmas of the lines read so far, in order.
  std::vector<Pragma>& pragmas() { return pragmas_; }
  // How many errors this lexer itself reported.
  std::size_t errors() const { return errors_; }
  // False when the source is no text (reported).
  bool check_text();

 private:
  enum class Mode : std::uint8_t { kTop, kPredicate, kBody, kDeclaration };

  // lexer.cc
  Token lex_top();
  Token lex_common();
  std::size_t end_of_object(std::size_t begin) const;
  Token lex_word();
  Token lex_punctuation();
  Token track(Token token);
  bool predicate_ends(std::size_t after) const;
  void skip_blanks();
  std::size_t skip_comment();

  // lex_probe.cc
  bool starts_declaration(std::size_t end) const;
  bool names_follow(std::string_view word, std::size_t end) const;
  Token lex_probe(std::size_t end);
  std::string expanded(std::string_view text, Span where, bool is_value);
  std::size_t skip_ahead(std::size_t at, bool stars, bool* newline = nullptr) const;

  // lex_literal.cc
  Token lex_number();
  Token lex_float(std::size_t end);
  Token lex_string();
  Token lex_char();
  bool lex_quoted(char quote, std::string& out);
  std::size_t escape(std::size_t at, std::string& out) const;
  Token lex_macro();
  void undefined_macro(std::string_view name, Span where);
  Token macro_token(Token token, const std::string& text);

  // lex_attribute.cc
  bool skip_attributes();
  void layout_attributes(std::string_view list, Span where);
  void pragma_pack(std::string_view rest, Span span);

  // lex_directive.cc
  void lex_directive();
  void line_marker(std::string_view rest, std::size_t begin);
  void pragma(std::string_view rest, Span span);
  void pragma_d(std::string text, Span span);
  void declare(std::string_view rest, bool is_flag, Span span);

  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  Span span(std::size_t begin, std::size_t end) const;
  Token token(Tok kind, std::size_t end);  // from pos_ to end; moves pos_
  std::string_view keep(std::string text);
  Diagnostic& error(std::string_view tag, Span where, std::string what);

  Source& source_;
  std::string_view text_;
  std::uint32_t source_index_;
  front::Input::Spec spec_;
  bool add_markers_;
  Macros& macros_;
  std::set<std::string, std::less<>> undefined_macros_;  // which were reported
  Diagnostics& diagnostics_;

  std::size_t pos_ = 0;
  Mode mode_ = Mode::kTop;
  std::uint32_t braces_ = 0;               // open in the body or declaration
  std::uint32_t brackets_ = 0;             // open ( and [ in the predicate or declaration
  bool line_start_ = true;                 // nothing but blanks before pos_ on its line
  bool said_preprocess_ = false;           // that -C is there for directives
  bool block_item_ = false;                // a translator or provider: its } ends it
  LayoutAttributes attributes_ = {};       // since the last token
  std::vector<std::uint32_t> packs_ = {};  // #pragma pack: before the pushes; the last is in force
  std::size_t errors_ = 0;
  std::string marker_file_;  // of the last line marker
  std::vector<Pragma> pragmas_;
  std::deque<std::string> kept_;  // texts that are not in the source
};

}  // namespace dt::d
