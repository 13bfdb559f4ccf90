// Declarations, inlines, translators and providers.

#include <fmt/core.h>

#include <algorithm>

#include "d/syntax/parse_state.h"

namespace dt::d {

// The body of a function that a C header defines, from its {.
void Parser::skip_function() {
  std::size_t open = 0;
  do {
    const Tok kind = advance().kind;
    open += kind == Tok::kLBrace ? 1 : 0;
    open -= kind == Tok::kRBrace ? 1 : 0;
  } while (open > 0 && !at(Tok::kEnd));
  leave_item();
  accept(Tok::kSemi);
}

// Why a name that is wanted here is none.
std::string Parser::expected_name() {
  return tok().is_keyword() ? fmt::format("\"{}\" is a word of D, not a name", tok().text)
                            : "expected a name";
}

// `= { ... }` of a variable that a C header defines, to its ; or the next name.
void Parser::skip_initializer() {
  std::size_t open = 0;
  while (!at(Tok::kEnd) && (open > 0 || (!at(Tok::kSemi) && !at(Tok::kComma)))) {
    const Tok kind = advance().kind;
    open += kind == Tok::kLBrace || kind == Tok::kLParen ? 1 : 0;
    open -= open > 0 && (kind == Tok::kRBrace || kind == Tok::kRParen) ? 1 : 0;
  }
}

bool Parser::declaration() {
  Declaration out;
  out.span = tok().span;
  const std::string first(tok().text);
  bool names_types_alone = false;
  if (!specifiers(out.spec, true)) {
    return false;
  }
  if (!at(Tok::kSemi)) {
    do {
      Declarator one;
      if (!declarator(one)) {
        return false;
      }
      if (one.name.empty()) {
        syntax_error(at(Tok::kArrow) ? "statements stand in a clause: probe { ... }"
                                     : expected_name());
        return false;
      }
      if (at(Tok::kLBrace) && (out.spec.is_inline || tok().in_header)) {
        skip_function();
        return true;
      }
      if (at(Tok::kAssign) && tok().in_header) {
        skip_initializer();  // its values are in the program, not here: it has no name in D
        names_types_alone = out.declarators.empty();
        continue;
      }
      if (out.spec.storage == Storage::kTypedef) {
        type_names_[one.name] = true;
      }
      one.attributes = tok().attributes;
      names_types_alone = false;
      out.declarators.push_back(std::move(one));
    } while (accept(Tok::kComma));
  }
  if (!accept(Tok::kSemi)) {
    const std::string_view meant = keyword(first) == Tok::kIdent ? nearest_keyword(first) : "";
    if (!meant.empty()) {
      syntax_error(fmt::format("did you mean \"{}\" instead of \"{}\"?", meant, first));
    } else if (at(Tok::kAssign)) {
      syntax_error(
          "a variable gets its value in a clause, such as BEGIN { x = 1; }; "
          "a constant is declared with \"inline\"");
    } else {
      syntax_error("expected \";\" before it");
    }
    return false;
  }
  if (!names_types_alone || out.spec.body != nullptr || out.spec.enum_body != nullptr) {
    add_item(Item::Kind::kDeclaration, unit_.declarations, std::move(out));
  }
  return true;
}

// inline type name = value;   inline type name[type key, ...] = value;
bool Parser::inline_declaration() {
  Inline out;
  out.span = advance().span;
  if (!specifiers(out.spec, true) || !declarator(out.declarator)) {
    return false;
  }
  if (out.declarator.name.empty()) {
    syntax_error(out.declarator.parts.empty()
                     ? expected_name()
                     : "an inline with parameters has them in brackets: inline int f[int n] = n;");
    return false;
  }
  for (const Declarator::Part& part : out.declarator.parts) {
    if (part.kind == Declarator::Part::Kind::kAssoc) {
      out.parameter_names = part.names;
    }
  }
  if (!expect(Tok::kAssign)) {
    return false;
  }
  out.value = assignment();
  if (out.value == nullptr || !expect(Tok::kSemi)) {
    return false;
  }
  add_item(Item::Kind::kInline, unit_.inlines, std::move(out));
  return true;
}

// translator output < input *name > { member = value; ... };
bool Parser::translator() {
  Translator out;
  out.span = advance().span;
  out.output = type_name();
  if (out.output == nullptr || !expect(Tok::kLess)) {
    return false;
  }
  out.input = parameter(out.input_name);
  if (out.input == nullptr) {
    return false;
  }
  if (out.input_name.empty()) {
    syntax_error("expected a name for the input, as in < struct task_struct *T >");
    return false;
  }
  if (!expect(Tok::kGreater) || !expect(Tok::kLBrace)) {
    return false;
  }
  while (!at(Tok::kRBrace)) {
    if (!translator_member(out)) {
      return false;
    }
  }
  if (!expect(Tok::kRBrace) || !expect(Tok::kSemi)) {
    return false;
  }
  leave_item();
  add_item(Item::Kind::kTranslator, unit_.translators, std::move(out));
  return true;
}

bool Parser::translator_member(Translator& into) {
  if (!at(Tok::kIdent) && !tok().is_keyword()) {
    syntax_error("expected the name of a member, or \"}\"");
    return false;
  }
  const Token name = advance();
  if (!expect(Tok::kAssign)) {
    return false;
  }
  Expr* value = assignment();
  if (value == nullptr) {
    return false;
  }
  into.members.push_back({std::string(name.text), name.span, value});
  return expect(Tok::kSemi);
}

// provider name { probe name(types) : (types); ... };
bool Parser::provider() {
  ProviderDecl out;
  out.span = advance().span;
  if (!at(Tok::kIdent)) {
    syntax_error("expected the name of the provider");
    return false;
  }
  out.name = advance().text;
  if (!expect(Tok::kLBrace)) {
    return false;
  }
  while (!at(Tok::kRBrace)) {
    if (!provider_probe(out)) {
      return false;
    }
  }
  if (!expect(Tok::kRBrace) || !expect(Tok::kSemi)) {
    return false;
  }
  leave_item();
  add_item(Item::Kind::kProvider, unit_.providers, std::move(out));
  return true;
}

bool Parser::provider_probe(ProviderDecl& into) {
  if (!expect(Tok::kProbeWord)) {
    return false;
  }
  ProviderDecl::ProbeDecl probe;
  probe.span = tok().span;
  do {
    if (!at(Tok::kIdent) && !tok().is_keyword()) {
      syntax_error("expected the name of the probe");
      return false;
    }
    probe.name += advance().text;
    probe.span.end = last_.end;
    if (at(Tok::kMinus)) {
      probe.name += '-';
    }
  } while (accept(Tok::kMinus));
  bool variadic = false;
  in_probe_ = true;
  bool good = parameters(probe.native, probe.native_names, variadic);
  for (std::size_t i = 0; good && i < probe.native.size(); ++i) {  // a mapping goes by names
    const std::string& name = probe.native_names[i];
    const auto first = std::find(probe.native_names.begin(), probe.native_names.end(), name);
    const std::size_t at = static_cast<std::size_t>(first - probe.native_names.begin());
    if (!name.empty() && at != i) {
      error("D_DECL_PROTO_NAME", probe.native[i]->span,
            fmt::format("parameter is declared more than once: {}", name))
          .notes.push_back({probe.native[at]->span, "first declared here"});
    }
  }
  if (good && accept(Tok::kColon)) {
    probe.has_mapping = true;
    good = parameters(probe.translated, probe.translated_names, variadic);
  }
  in_probe_ = false;
  if (!good) {
    return false;
  }
  if (variadic) {
    error("D_DECL_PROTO_VARARGS", probe.span,
          "a probe has a fixed number of arguments: \"...\" cannot be one");
    return false;
  }
  into.probes.push_back(std::move(probe));
  return expect(Tok::kSemi);
}

}  // namespace dt::d
