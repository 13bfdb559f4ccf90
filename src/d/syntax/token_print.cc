// The tokens as text (-xdump=tokens).

#include <fmt/core.h>

#include "d/syntax/ast_print.h"
#include "d/syntax/lexer.h"
#include "d/syntax/macros.h"
#include "d/syntax/parser.h"

namespace dt::d {
namespace {

// What the token is, and its text.
std::string describe(const Token& token) {
  switch (token.kind) {
    case Tok::kPredOpen:
      return "predicate-begin /";
    case Tok::kPredClose:
      return "predicate-end /";
    case Tok::kInt:
      return fmt::format("integer {}{}{}{}", token.negative ? "-" : "", token.value,
                         token.is_unsigned ? "u" : "", std::string(token.longs, 'l'));
    case Tok::kString:
      return fmt::format("string {}", quoted_string(token.text));
    case Tok::kScoped:
      return fmt::format("scoped {}`{}", token.module, token.text);
    case Tok::kAgg:
      return fmt::format("aggregation @{}", token.text);
    default:
      break;
  }
  if (token.is_keyword()) {
    return fmt::format("keyword {}", token_text(token.kind));
  }
  if (token.kind < kFirstKeyword || token.is(Tok::kUnknown)) {
    return fmt::format("{} {}", token_text(token.kind), token.text);
  }
  return fmt::format("punctuation {}", token_text(token.kind));
}

}  // namespace

std::string print_tokens(std::uint32_t source, front::Input::Spec spec,
                         const ParseContext& context) {
  std::vector<bool> references;
  Diagnostics unheard;
  Macros macros(context.world, references);
  Source& text = context.sources.at(source);
  Lexer lexer(Lexer::Setup{text, source, spec, false}, macros, unheard);
  std::string out;
  if (!lexer.check_text()) {
    return out;
  }
  const auto line = [&](Span span, std::string_view what) {
    const support::Location at = text.physical(span.begin);
    out += fmt::format("{}:{} {}\n", at.line, at.column, what);
  };
  std::size_t pragmas = 0;
  for (;;) {
    const Token token = lexer.next();
    for (; pragmas < lexer.pragmas().size(); ++pragmas) {
      const Pragma& pragma = lexer.pragmas()[pragmas];
      line(pragma.span, "pragma " + pragma.text);
    }
    if (token.is(Tok::kEnd)) {
      return out;
    }
    line(token.span, describe(token));
  }
}

}  // namespace dt::d
