#pragma once
// Messages about scripts, in the form that users of SystemTap know:
//
//     parse error: expected statement
//             saw: operator '}' at hello.stp:1:14
//          source: probe begin { }
//                              ^
//
//     semantic error: unresolved function foo: identifier 'foo' at hello.stp:3:2
//             source: 	foo()
//                     	^
//
// Each ends with an empty line. A place that macros have made is followed by where they are used,
// if that is one place:
//
//     semantic error: unresolved function foo: identifier 'foo' at hello.stp:1:15
//             source: @define m %( foo() %)
//                                  ^
//     	in expansion of macro: operator '@m' at hello.stp:2:15
//             source: probe begin { @m }
//                                   ^

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "stap/syntax/token.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::stap {

class Messages {
 public:
  Messages(const Sources& sources, Diagnostics& out) : sources_(sources), out_(out) {}

  // What the reader has come to ("saw: "), or a place that it has looked back at ("at: ").
  enum class Names : std::uint8_t { kSaw, kAt };
  void parse_error(std::string_view text, const Token& token, std::string_view hint = {},
                   Names names = Names::kSaw);
  // Of a kBroken token, which says itself what is wrong.
  void broken(const Token& token);
  // What begins at `made` stands in the script because of a macro: `use` is its name where it is
  // used, or, of an argument, the parameter that it replaces.
  void add_expansion(Span made, Span use);
  // `what` names the text at the place: "identifier 'foo'".
  // `other`: a second place that the message is about, without words of its own.
  void semantic_error(std::string_view text, Span span, std::string_view hint = {},
                      Span other = {});
  // Of a probe point: where it begins, and then why it cannot be resolved, with the component that
  // is the reason.
  void point_error(std::string_view why, Span first, std::optional<Span> wrong,
                   std::string_view hint = {});
  // "identifier 'f' at script.stp:1:10", with the line: what another message refers to.
  std::string reference(Span span) const;
  // "never-assigned local variable 'x': identifier 'x' at script.stp:3:7", with the line.
  std::string warning(std::string_view text, Span span, std::string_view hint = {}) const;
  // "script.stp:3:7"
  std::string place(Span span) const;
  bool is_of_library(Span span) const { return sources_.at(span.source).is_library; }
  // The text of the probe point around a place (stap/syntax/foreign_points.h).
  std::string_view point_at(Span span) const;

 private:
  // "source: ", the line, and a caret below the place, the first of them right-aligned.
  std::string excerpt(Span span, std::size_t indent) const;
  // A line for each macro that has made the place, each after a newline; may be empty.
  std::string expansions(Span span, std::size_t indent) const;

  using Place = std::pair<std::uint32_t, std::uint32_t>;  // a source, and where in it
  // Of a place that several uses have made, none: which of them a message is about is not known.
  std::map<Place, std::optional<Span>> expansions_;
  const Sources& sources_;
  Diagnostics& out_;
};

// "identifier 'x'", "literal string 'x'": what stands at a place, of its text.
std::string describe_text(std::string_view text);

}  // namespace dt::stap
