// Tokens, errors, and the outermost level: clauses and what stands between
// them.

#include "d/syntax/parser.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "d/syntax/parse_state.h"

namespace dt::d {
namespace {

constexpr std::size_t kMaxNear = 40;            // bytes of a token that a message quotes
constexpr std::size_t kMaxDescription = 16384;  // more than the longest names of C++ have

std::size_t count_colons(std::string_view text) {
  std::size_t n = 0;
  for (const char c : text) {
    n += c == ':' ? 1 : 0;
  }
  return n;
}

}  // namespace

Parser::Parser(std::uint32_t source, front::Input::Spec spec, ParseContext& context)
    : source_(source),
      spec_(spec),
      context_(context),
      arena_(context.arena),
      macros_(context.world, context.macro_references),
      lexer_(Lexer::Setup{context.sources.at(source), source, spec, true}, macros_,
             context.diagnostics) {}

// ---- Tokens ---------------------------------------------------------------------

const Token& Parser::peek(std::size_t n) {
  while (ahead_count_ <= n) {
    ahead_[(ahead_begin_ + ahead_count_) % kLookahead] = lexer_.next();
    ++ahead_count_;
  }
  return ahead_[(ahead_begin_ + n) % kLookahead];
}

// The token after it is read only when it is asked for: what a character means
// may depend on leave_item().
Token Parser::advance() {
  const Token taken = tok();
  ahead_begin_ = (ahead_begin_ + 1) % kLookahead;
  --ahead_count_;
  last_ = taken.span;
  item_braces_ += taken.is(Tok::kLBrace) ? 1 : 0;
  item_braces_ -= taken.is(Tok::kRBrace) && item_braces_ > 0 ? 1 : 0;
  return taken;
}

bool Parser::accept(Tok kind) {
  if (!at(kind)) {
    return false;
  }
  advance();
  return true;
}

bool Parser::expect(Tok kind, const Span* open) {
  if (accept(kind)) {
    return true;
  }
  Diagnostic& d = syntax_error(fmt::format("expected \"{}\" before it", token_text(kind)));
  if (open != nullptr) {
    d.hint.clear();
    d.notes.push_back({*open, fmt::format("expected the \"{}\" for this", token_text(kind))});
  }
  return false;
}

void Parser::leave_item() {
  if (ahead_count_ == 0) {
    lexer_.leave_item();
  }
}

Parser::Nest::Nest(Parser& parser) : parser_(parser), ok_(++parser.depth_ <= kMaxDepth) {
  if (!ok_) {
    parser.error("D_SYNTAX", parser.tok().span,
                 fmt::format("this is nested more than {} levels deep", kMaxDepth));
  }
}

// ---- Errors ---------------------------------------------------------------------

// An error that follows from one that was reported is not worth a line.
bool Parser::suppressed() const {
  return lexer_.errors() != lexical_errors_ || context_.diagnostics.full();
}

Diagnostic& Parser::error(std::string_view tag, Span span, std::string text) {
  if (suppressed() || (any_error_place_ && error_place_ == span.begin)) {
    ignored_ = Diagnostic{};
    return ignored_;
  }
  any_error_place_ = true;
  error_place_ = span.begin;
  return context_.diagnostics.error(tag, span, std::move(text));
}

std::string Parser::near_text(const Token& token) const {
  if (token.is(Tok::kEnd)) {
    return "end of input";
  }
  std::string_view text = context_.sources.text(token.span);
  text = text.substr(0, text.find('\n'));
  if (text.size() <= kMaxNear) {
    return fmt::format("\"{}\"", text);
  }
  std::size_t length = kMaxNear;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) {
    --length;  // not through the middle of a UTF-8 character
  }
  return fmt::format("\"{}...\"", text.substr(0, length));
}

Diagnostic& Parser::syntax_error(std::string hint) {
  const Token& token = tok();
  // The end is shown where the text ends, not on the empty line after it.
  const Span place = token.is(Tok::kEnd) ? Span{source_, last_.end, last_.end} : token.span;
  Diagnostic& d = error("D_SYNTAX", place, "syntax error near " + near_text(token));
  d.hint = std::move(hint);
  return d;
}

// ---- Items ----------------------------------------------------------------------

// Pragmas stand in `items` between the clauses as they do in the text; one
// inside of an item stands before it.
void Parser::flush_pragmas(std::uint32_t before, bool nested) {
  std::vector<Pragma>& pragmas = lexer_.pragmas();
  for (; next_pragma_ < pragmas.size() && pragmas[next_pragma_].span.begin < before;
       ++next_pragma_) {
    Pragma pragma = std::move(pragmas[next_pragma_]);
    pragma.nested = nested;
    unit_.items.push_back(
        Item{Item::Kind::kPragma, static_cast<std::uint32_t>(unit_.pragmas.size())});
    unit_.pragmas.push_back(std::move(pragma));
  }
}

template <typename T>
void Parser::add_item(Item::Kind kind, std::vector<T>& list, T value) {
  value.span.end = last_.end;
  flush_pragmas(value.span.end, true);
  unit_.items.push_back(Item{kind, static_cast<std::uint32_t>(list.size())});
  list.push_back(std::move(value));
}
template void Parser::add_item(Item::Kind, std::vector<Declaration>&, Declaration);
template void Parser::add_item(Item::Kind, std::vector<Inline>&, Inline);
template void Parser::add_item(Item::Kind, std::vector<Translator>&, Translator);
template void Parser::add_item(Item::Kind, std::vector<ProviderDecl>&, ProviderDecl);

std::optional<Unit> Parser::run() {
  const std::size_t before = context_.diagnostics.total();
  if (!lexer_.check_text()) {
    return std::nullopt;
  }
  while (!at(Tok::kEnd)) {
    flush_pragmas(tok().span.begin, false);
    item_braces_ = 0;
    item();
    lexical_errors_ = lexer_.errors();
  }
  flush_pragmas(UINT32_MAX, false);
  if (macros_.default_args()) {
    context_.world.default_args = true;
  }
  if (context_.diagnostics.total() != before) {
    return std::nullopt;
  }
  return std::move(unit_);
}

void Parser::item() {
  bool good = true;
  switch (tok().kind) {
    case Tok::kProbe:
      return clause();
    case Tok::kInline:
      good = inline_declaration();
      break;
    case Tok::kTranslator:
      good = translator();
      break;
    case Tok::kProvider:
      good = provider();
      break;
    case Tok::kPredOpen:
    case Tok::kLBrace:
      syntax_error("a probe description must come first, such as syscall:::entry");
      good = false;
      break;
    default:
      if (at(Tok::kSemi) && tok().in_header) {
        advance();  // what is left of _Static_assert(...);
      } else if (starts_type(tok()) || at(Tok::kIdent) || at(Tok::kScoped) || at(Tok::kTypedef) ||
                 at(Tok::kExtern) || at(Tok::kStatic) || at(Tok::kAuto) || at(Tok::kRegister) ||
                 at(Tok::kSelf) || at(Tok::kThis)) {
        good = declaration();
      } else {
        syntax_error(at(Tok::kSemi)     ? "no \";\" stands after a clause"
                     : at(Tok::kRBrace) ? "there is no \"{\" for this"
                                        : "statements stand in a clause: probe { ... }");
        good = false;
      }
  }
  if (!good) {
    recover_item();
  }
}

bool Parser::on_new_line(Span span) const {
  const std::string_view between =
      context_.sources.text(Span{source_, last_.end, std::max(last_.end, span.begin)});
  return between.find('\n') != std::string_view::npos;
}

// Skips to behind the ; or {...} that ends this item, or to a probe
// description at the beginning of a line.
void Parser::recover_item() {
  for (bool first = true;; first = false) {
    const Tok kind = tok().kind;
    if (kind == Tok::kEnd ||
        (kind == Tok::kProbe && !first && item_braces_ == 0 && on_new_line(tok().span))) {
      return;
    }
    advance();
    if (item_braces_ > 0 || (kind != Tok::kRBrace && kind != Tok::kSemi)) {
      continue;
    }
    leave_item();
    if (kind == Tok::kRBrace && !accept(Tok::kSemi) && at(Tok::kProbe) &&
        !on_new_line(tok().span) && peek(1).is(Tok::kSemi)) {
      advance();  // the name after struct {...}
      advance();
    }
    return;
  }
}

// Four fields at most, of which the first, a provider or a name alone, is no number.
void Parser::check_fields(const Token& probe, std::size_t fields) {
  const std::string_view text = probe.text;
  if (text.size() > kMaxDescription) {
    error("D_PDESC_INVAL", probe.span,
          fmt::format("probe description {} is too long: it has {} characters, the limit is {}",
                      near_text(probe), text.size(), kMaxDescription));
  } else if (fields > 4) {
    error("D_PDESC_INVAL", probe.span,
          fmt::format("probe description {} has {} fields: there are provider, module, function "
                      "and name",
                      text, fields))
        .hint = "a colon within a name is written as ?";
  } else if (!text.empty() && is_digit(text[0])) {
    error("D_SYNTAX", probe.span, fmt::format("syntax error near \"{}\"", text)).hint =
        fields == 1 ? fmt::format("did you mean 'tick-{}'?", text)
                    : "the name of a provider does not begin with a digit";
  }
}

// What -P, -m, -f and -i give is completed to a whole description.
std::string Parser::complete(const Token& probe) {
  const std::string text(probe.text);
  const std::size_t colons = count_colons(text);
  std::size_t most = 0;
  std::string_view what = "a provider";
  switch (spec_) {
    case front::Input::Spec::kProgram:
    case front::Input::Spec::kName:
      check_fields(probe, colons + 1);
      return text;
    case front::Input::Spec::kId:
      if (text.find_first_not_of("0123456789") != std::string::npos) {
        error("D_PDESC_INVAL", probe.span, fmt::format("\"{}\" is not the ID of a probe", text));
      }
      return text;
    case front::Input::Spec::kProvider:
      break;
    case front::Input::Spec::kModule:
      most = 1;
      what = "a module or provider:module";
      break;
    case front::Input::Spec::kFunction:
      most = 2;
      what = "a function, module:function or provider:module:function";
      break;
  }
  if (colons > most) {
    error("D_PDESC_INVAL", probe.span,
          fmt::format("\"{}\" has {} fields; this option takes {}", text, colons + 1, what))
        .hint = "-n takes a whole description";
  }
  return std::string(most - std::min(colons, most), ':') + text + std::string(3 - most, ':');
}

bool Parser::probe_list(Clause& clause) {
  do {
    if (!at(Tok::kProbe)) {
      syntax_error("a probe description must follow the comma");
      return false;
    }
    const Token probe = advance();
    clause.probes.push_back(ProbeSpec{complete(probe), probe.span});
  } while (accept(Tok::kComma));
  return true;
}

// `uprobe:/bin/bash:readline`, as other tracers name functions of programs: reported with what it
// is in D.
bool Parser::is_of_program(std::string_view kind) {
  const bool is_entry = kind == "uprobe:";
  const bool is_return = kind == "uretprobe:";
  const bool is_static = kind == "usdt:";
  if (!is_entry && !is_return && !is_static) {
    return false;
  }
  const Source& source = context_.sources.at(source_);
  std::string_view place = std::string_view(source.text()).substr(tok().span.begin);
  place = place.substr(0, place.find_first_of(" \t\r\n{"));
  const std::string_view path = place.substr(0, place.find(':'));
  const std::string_view object = path.substr(path.rfind('/') + 1);
  const std::string_view rest =
      path.size() < place.size() ? place.substr(path.size() + 1) : std::string_view();
  const std::string_view name = rest.substr(rest.rfind(':') + 1);
  syntax_error(is_static
                   ? fmt::format("static probes of a program are PROVIDER$target:{}::{}, under -p "
                                 "or -c",
                                 object, name.empty() ? "NAME" : name)
                   : fmt::format("functions of a program are pid$target:{}:{}:{}, under -p or -c",
                                 object, name.empty() ? "NAME" : name,
                                 is_return ? "return" : "entry"));
  return true;
}

namespace {

// `kernel.function("vfs_read")`, `timer.s(1)`, `probe begin`: how points of SystemTap's language
// begin, where D has a description.
bool is_systemtap(std::string_view first, bool is_before_description) {
  if (is_before_description) return first == "probe" || first == "global" || first == "function";
  constexpr std::string_view kFamilies[] = {"kernel.", "module.", "timer.",    "syscall.",
                                            "perf.",   "procfs.", "netfilter."};
  return first == "process" || first == "module" || first == "process.begin" || first == "procfs" ||
         std::any_of(std::begin(kFamilies), std::end(kFamilies),
                     [first](std::string_view family) { return first.starts_with(family); });
}

}  // namespace

void Parser::clause() {
  Clause clause;
  clause.span = tok().span;
  const std::string_view first = tok().text;
  if (!probe_list(clause)) {
    return recover_item();
  }
  if (at(Tok::kPredOpen) && is_of_program(first)) {
    return recover_item();
  }
  if (at(Tok::kPredOpen)) {
    const Span open = advance().span;
    clause.predicate = expression();
    if (clause.predicate == nullptr || !expect(Tok::kPredClose, &open)) {
      // The body is worth reading all the same.
      while (!at(Tok::kLBrace) && !at(Tok::kEnd) && !at(Tok::kProbe)) {
        if (advance().is(Tok::kPredClose)) {
          break;
        }
      }
    }
  }
  if (at(Tok::kLBrace)) {
    body_open_ = advance().span;
    clause.has_body = true;
    if (!block(clause.body)) {
      leave_item();
      return;
    }
  } else if (spec_ == front::Input::Spec::kProgram || !at(Tok::kEnd)) {
    if (clause.predicate != nullptr) {
      syntax_error("a predicate is followed by { actions }");
      return recover_item();
    }
    const std::string_view meant = nearest_keyword(first);
    const bool statement = at(Tok::kLParen) || at(Tok::kInc) || at(Tok::kDec) ||
                           (tok().kind >= Tok::kAssign && tok().kind <= Tok::kXorAssign);
    if (is_systemtap(first, at(Tok::kProbe))) {
      syntax_error("this is SystemTap's language: stap -e '...'");
    } else if (statement) {
      syntax_error("statements stand in a clause: probe { ... }");
    } else if (!meant.empty() && at(Tok::kProbe)) {
      syntax_error(fmt::format("did you mean \"{}\" instead of \"{}\"?", meant, first));
    } else {
      syntax_error(
          "a probe description is followed by { actions } or by a /predicate/ and { actions }");
    }
    return recover_item();
  }
  add_item(Item::Kind::kClause, unit_.clauses, std::move(clause));
}

std::optional<Unit> parse(std::uint32_t source, front::Input::Spec spec, ParseContext& context) {
  return Parser(source, spec, context).run();
}

}  // namespace dt::d
