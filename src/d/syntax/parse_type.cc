// Types as they are written: specifiers (`unsigned long`, `struct foo {...}`)
// and declarators (`*a[3]`, `(*f)(int)`).
//
// The classic difficulty of C: `(a)(b)` is a cast if a is a type, and a call otherwise, and `a *
// b;` declares b or multiplies. The parser therefore asks for each name whether it is a type at
// this place of the text.

#include <fmt/core.h>

#include <algorithm>

#include "d/syntax/parse_state.h"

namespace dt::d {
namespace {

constexpr std::size_t kMaxDeclaratorParts = 64;  // more *, [] and () than anyone writes

Storage storage_of(Tok kind) {
  switch (kind) {
    case Tok::kSelf:
      return Storage::kThread;
    case Tok::kThis:
      return Storage::kClause;
    case Tok::kTypedef:
      return Storage::kTypedef;
    case Tok::kExtern:
      return Storage::kExtern;
    case Tok::kStatic:
      return Storage::kStatic;
    case Tok::kAuto:
      return Storage::kAuto;
    case Tok::kRegister:
      return Storage::kRegister;
    default:
      return Storage::kNone;
  }
}

// What a word like const says of the type; null: it is none of these words.
bool* qualifier_of(Tok kind, TypeSpec& spec) {
  switch (kind) {
    case Tok::kConst:
      return &spec.is_const;
    case Tok::kVolatile:
      return &spec.is_volatile;
    case Tok::kRestrict:
      return &spec.is_restrict;
    case Tok::kUserland:
      return &spec.is_userland;
    default:
      return nullptr;
  }
}

bool has_base(const TypeSpec& spec) {
  return !spec.base.empty() || spec.tag != TypeSpec::Tag::kNone;
}

void say_once(bool& word, TypeSpec& spec) {
  spec.has_twice = spec.has_twice || word;
  word = true;
}

bool has_type(const TypeSpec& spec) {
  return has_base(spec) || spec.is_signed || spec.is_unsigned || spec.is_short || spec.longs > 0;
}

}  // namespace

bool Parser::starts_type(const Token& token) const {
  switch (token.kind) {
    case Tok::kBool:
    case Tok::kChar:
    case Tok::kConst:
    case Tok::kDouble:
    case Tok::kEnum:
    case Tok::kFloatWord:
    case Tok::kIntWord:
    case Tok::kLong:
    case Tok::kRestrict:
    case Tok::kShort:
    case Tok::kSigned:
    case Tok::kStringWord:
    case Tok::kStruct:
    case Tok::kUnion:
    case Tok::kUnsigned:
    case Tok::kUserland:
    case Tok::kVoid:
    case Tok::kVolatile:
      return true;
    default:
      return false;
  }
}

// Asks the catalogue once for each name. What the script has declared so far, it does not know yet.
bool Parser::is_type_name(std::string_view name, std::string_view module) {
  if (module == "D") {
    return is_type_name(name);
  }
  std::string key(module);
  key += module.empty() ? "" : "`";
  key += name;
  const auto [at, added] = type_names_.try_emplace(std::move(key), false);
  if (added) {
    at->second = context_.world.types.find(types::Tag::kNone, name, module).has_value();
  }
  return at->second;
}

// One or more words; reports when there is none.
bool Parser::specifiers(TypeSpec& spec, bool storage_allowed) {
  spec.span = tok().span;
  bool any = false;
  for (bool taken = true; taken; any = any || taken) {
    if (!specifier_word(spec, storage_allowed, taken)) {
      return false;
    }
  }
  if (!any) {
    syntax_error("expected a type");
    return false;
  }
  spec.span.end = last_.end;
  return true;
}

// Whether a name is the type. The first one is, unless it is all there is: `self x;`. Behind words
// for integers, as in `unsigned size_t x;`, it is refused when it is known what it names.
bool Parser::is_named_type(const TypeSpec& spec, const Token& token) {
  const Tok next = peek(1).kind;
  if (has_type(spec)) {
    return !has_base(spec) && (next == Tok::kIdent || next == Tok::kStar) &&
           is_type_name(token.text, token.module);
  }
  const bool alone =
      next == Tok::kSemi || next == Tok::kComma || next == Tok::kLBracket || next == Tok::kAssign;
  return !alone || spec.storage == Storage::kNone;
}

// A word like static: one of a declaration, and none of a type's name.
bool Parser::storage_word(TypeSpec& spec, Storage storage) {
  if (spec.storage != Storage::kNone) {
    error("D_DECL_CLASS", tok().span, "a declaration has one storage class at most");
    return false;
  }
  spec.storage = storage;
  advance();
  return true;
}

bool Parser::specifier_word(TypeSpec& spec, bool storage_allowed, bool& taken) {
  taken = true;
  const Token token = tok();
  if (token.is_keyword() && has_type(spec) && at_declared_name()) {
    taken = false;
    return true;
  }
  if (const Storage storage = storage_of(token.kind); storage != Storage::kNone) {
    taken = storage_allowed;
    return !taken || storage_word(spec, storage);
  }
  if (bool* const qualifier = qualifier_of(token.kind, spec)) {
    *qualifier = true;
    advance();
    return true;
  }
  switch (token.kind) {
    case Tok::kInline:
      if (spec.storage != Storage::kStatic && spec.storage != Storage::kExtern) {
        taken = false;
        return true;
      }
      spec.is_inline = true;
      break;
    case Tok::kSigned:
      say_once(spec.is_signed, spec);
      break;
    case Tok::kUnsigned:
      say_once(spec.is_unsigned, spec);
      break;
    case Tok::kShort:
      say_once(spec.is_short, spec);
      break;
    case Tok::kLong:
      spec.longs = static_cast<std::uint8_t>(std::min(spec.longs + 1, 9));
      break;
    case Tok::kStruct:
    case Tok::kUnion:
    case Tok::kEnum:
      return tagged_type(spec);
    case Tok::kIdent:
    case Tok::kScoped:
      taken = is_named_type(spec, token);
      if (!taken) {
        return true;
      }
      spec.base = token.text;
      spec.module = token.module;
      break;
    default:
      if (!starts_type(token)) {
        taken = false;
        return true;
      }
      return base_word(spec);
  }
  advance();
  return true;
}

// int, char, void, float, double, _Bool, string. A second type is refused here
// because the tree has room for one.
bool Parser::base_word(TypeSpec& spec) {
  if (has_base(spec)) {
    const std::string_view meant = nearest_keyword(spec.base);
    Diagnostic& d =
        error("D_DECL_COMBO", tok().span,
              fmt::format("\"{}\" cannot be combined with \"{}\"", token_text(tok().kind),
                          spec.base.empty() ? spec.tag_name : spec.base));
    if (!meant.empty() && keyword(spec.base) == Tok::kIdent) {
      d.hint = fmt::format("did you mean \"{}\" instead of \"{}\"?", meant, spec.base);
    }
    return false;
  }
  spec.base = token_text(advance().kind);
  return true;
}

bool Parser::tagged_type(TypeSpec& spec) {
  if (has_base(spec)) {
    return base_word(spec);
  }
  const Tok word = advance().kind;
  spec.tag = word == Tok::kStruct  ? TypeSpec::Tag::kStruct
             : word == Tok::kUnion ? TypeSpec::Tag::kUnion
                                   : TypeSpec::Tag::kEnum;
  LayoutAttributes attributes = tok().attributes;
  if (at(Tok::kIdent) || at(Tok::kScoped)) {
    const Token name = advance();
    spec.tag_name = name.text;
    spec.module = name.module;
  } else if (!at(Tok::kLBrace)) {
    syntax_error(fmt::format("expected a name or {{ after \"{}\"", token_text(word)));
    return false;
  }
  if (!at(Tok::kLBrace)) {
    return true;
  }
  if (word == Tok::kEnum) {
    spec.enum_body = enum_body();
    if (spec.enum_body != nullptr) {
      attributes.add(tok().attributes);
      spec.enum_body->is_packed = attributes.packed;
    }
    return spec.enum_body != nullptr;
  }
  const std::uint32_t most = tok().attributes.most;
  spec.body = struct_body();
  if (spec.body != nullptr) {
    attributes.add(tok().attributes);
    attributes.most = most;
    spec.body->attributes = attributes;
  }
  return spec.body != nullptr;
}

StructDecl* Parser::struct_body() {
  const Nest nest(*this);
  if (!nest.ok()) {
    return nullptr;
  }
  const Span open = advance().span;
  StructDecl* out = arena_.struct_decl();
  while (!at(Tok::kRBrace)) {
    if (at(Tok::kEnd)) {
      syntax_error().notes.push_back({open, "expected the \"}\" for this"});
      return nullptr;
    }
    if (!struct_field(*out)) {
      return nullptr;
    }
  }
  advance();
  return out;
}

bool Parser::struct_field(StructDecl& into) {
  if (accept(Tok::kSemi)) {
    return true;
  }
  StructDecl::Field field;
  LayoutAttributes attributes = tok().attributes;
  if (!specifiers(field.spec, false)) {
    return false;
  }
  if (field.spec.body == nullptr) {  // otherwise they are those of the body
    attributes.add(tok().attributes);
  }
  if (!at(Tok::kSemi)) {
    do {
      Declarator one;
      if ((!at(Tok::kColon) && !declarator(one)) || !bit_width(one)) {
        return false;
      }
      if (one.name.empty() && one.bit_width == nullptr) {
        syntax_error(expected_name());
        return false;
      }
      one.attributes = attributes;
      one.attributes.add(tok().attributes);
      field.declarators.push_back(std::move(one));
    } while (accept(Tok::kComma));
  }
  into.fields.push_back(std::move(field));
  return expect(Tok::kSemi);
}

bool Parser::bit_width(Declarator& into) {
  if (!accept(Tok::kColon)) {
    return true;
  }
  into.bit_width = conditional();
  return into.bit_width != nullptr;
}

EnumDecl* Parser::enum_body() {
  const Span open = advance().span;
  EnumDecl* out = arena_.enum_decl();
  do {
    if (at(Tok::kRBrace) && !out->items.empty()) {
      break;  // a comma after the last one
    }
    if (!at(Tok::kIdent)) {
      syntax_error(expected_name());
      return nullptr;
    }
    const Token name = advance();
    EnumDecl::Item item{std::string(name.text), name.span, nullptr};
    if (accept(Tok::kAssign)) {
      item.value = conditional();
      if (item.value == nullptr) {
        return nullptr;
      }
    }
    out->items.push_back(std::move(item));
  } while (accept(Tok::kComma));
  return expect(Tok::kRBrace, &open) ? out : nullptr;
}

// Appends the parts from the name outwards: those in parentheses, then [] and
// (), then the stars to the left, the nearest first.
bool Parser::declarator(Declarator& into) {
  const Nest nest(*this);
  if (!nest.ok()) {
    return false;
  }
  std::vector<Declarator::Part> pointers;
  while (at(Tok::kStar) || at(Tok::kConst) || at(Tok::kVolatile) || at(Tok::kRestrict)) {
    const Tok kind = advance().kind;
    if (kind == Tok::kStar) {
      pointers.push_back({});
      pointers.back().kind = Declarator::Part::Kind::kPointer;
    } else if (kind == Tok::kConst && !pointers.empty()) {
      pointers.back().is_const = true;
    }
  }
  if (!direct_declarator(into)) {
    return false;
  }
  if (into.parts.size() + pointers.size() > kMaxDeclaratorParts) {
    error("D_SYNTAX", last_,
          fmt::format("this declaration has more than {} *, [] and ()", kMaxDeclaratorParts));
    return false;
  }
  std::move(pointers.rbegin(), pointers.rend(), std::back_inserter(into.parts));
  return true;
}

// Whether the ( at hand opens a declarator rather than parameters.
bool Parser::nested_declarator_follows() {
  const Token& next = peek(1);
  return next.is(Tok::kStar) || next.is(Tok::kLParen) || next.is(Tok::kLBracket) ||
         (next.is(Tok::kIdent) && !is_type_name(next.text));
}

// A name, which in a header of C, and among the arguments of a provider's probe, may be a
// keyword of D: `char string[128];`
bool Parser::at_declared_name() {
  if (at(Tok::kIdent)) {
    return true;
  }
  if ((!tok().in_header && !in_probe_) || !is_name_in_c(tok().kind)) {
    return false;
  }
  switch (peek(1).kind) {
    case Tok::kSemi:
    case Tok::kComma:
    case Tok::kColon:
    case Tok::kAssign:
    case Tok::kLParen:
    case Tok::kRParen:
    case Tok::kLBracket:
      return true;
    default:
      return false;
  }
}

bool Parser::direct_declarator(Declarator& into) {
  if (at(Tok::kScoped)) {
    error("D_DECL_SCOPE", tok().span,
          fmt::format("D scoping operator may not be used in a declaration name ({}`{})",
                      tok().module, tok().text));
    return false;
  }
  if (at_declared_name()) {
    const Token name = advance();
    into.name = name.text;
    into.name_span = name.span;
  } else if (at(Tok::kLParen) && nested_declarator_follows()) {
    const Span open = advance().span;
    if (!declarator(into) || !expect(Tok::kRParen, &open)) {
      return false;
    }
  }
  while (at(Tok::kLBracket) || at(Tok::kLParen)) {
    if (into.parts.size() >= kMaxDeclaratorParts) {
      error("D_SYNTAX", tok().span,
            fmt::format("this declaration has more than {} *, [] and ()", kMaxDeclaratorParts));
      return false;
    }
    if (at(Tok::kLBracket) ? !array_suffix(into) : !function_suffix(into)) {
      return false;
    }
  }
  return true;
}

// [], [10], or the keys of an associative array: [int, string].
bool Parser::array_suffix(Declarator& into) {
  const Span open = advance().span;
  Declarator::Part part{};
  part.kind = Declarator::Part::Kind::kArray;
  if (tok().in_header && (at(Tok::kRestrict) || at(Tok::kStatic))) {
    // A parameter of a function, `[static 10]`: a pointer, whatever the count.
    advance();
    if (!at(Tok::kRBracket) && conditional() == nullptr) {
      return false;
    }
    into.parts.push_back(std::move(part));
    return expect(Tok::kRBracket, &open);
  }
  const bool name = at(Tok::kIdent) || at(Tok::kScoped);
  const Tok next = name ? peek(1).kind : Tok::kEnd;
  const bool keys = starts_type(tok()) || at(Tok::kEllipsis) ||
                    (storage_of(tok().kind) != Storage::kNone && !peek(1).is(Tok::kArrow)) ||
                    (name && (next == Tok::kComma || next == Tok::kIdent)) ||
                    (name && (next == Tok::kRBracket || next == Tok::kStar) &&
                     is_type_name(tok().text, tok().module));
  if (keys) {
    part.kind = Declarator::Part::Kind::kAssoc;
    do {
      if (at(Tok::kEllipsis)) {
        error("D_DECL_PROTO_VARARGS", tok().span,
              "associative array prototype may not use a variable-length argument list");
        return false;
      }
      part.types.push_back(parameter(part.names.emplace_back()));
      if (part.types.back() == nullptr) {
        return false;
      }
    } while (accept(Tok::kComma));
  } else if (!at(Tok::kRBracket)) {
    part.count = conditional();
    if (part.count == nullptr) {
      return false;
    }
  }
  into.parts.push_back(std::move(part));
  return expect(Tok::kRBracket, &open);
}

bool Parser::function_suffix(Declarator& into) {
  Declarator::Part part{};
  part.kind = Declarator::Part::Kind::kFunction;
  if (!parameters(part.types, part.names, part.variadic)) {
    return false;
  }
  into.parts.push_back(std::move(part));
  return true;
}

// (int a, char *, ...), (void) or (): from the ( to behind the ).
bool Parser::parameters(std::vector<TypeName*>& types, std::vector<std::string>& names,
                        bool& variadic) {
  if (!expect(Tok::kLParen)) {
    return false;
  }
  const Span open = last_;
  const Nest nest(*this);
  if (!nest.ok()) {
    return false;
  }
  if (accept(Tok::kRParen)) {
    return true;
  }
  do {
    if (accept(Tok::kEllipsis)) {
      variadic = true;
      break;
    }
    types.push_back(parameter(names.emplace_back()));
    if (types.back() == nullptr) {
      return false;
    }
  } while (accept(Tok::kComma));
  return expect(Tok::kRParen, &open);
}

// A type, and the name that may stand within its declarator.
TypeName* Parser::parameter(std::string& name) {
  TypeName* out = arena_.type_name();
  out->span = tok().span;
  if (!specifiers(out->spec, true) || !declarator(out->declarator)) {
    return nullptr;
  }
  out->span.end = last_.end;
  name = std::move(out->declarator.name);
  out->declarator.name.clear();
  return out;
}

TypeName* Parser::type_name() {
  TypeName* out = arena_.type_name();
  out->span = tok().span;
  if (!specifiers(out->spec, false) || !declarator(out->declarator)) {
    return nullptr;
  }
  if (!out->declarator.name.empty()) {
    error("D_SYNTAX", out->declarator.name_span,
          fmt::format("syntax error near \"{}\"", out->declarator.name))
        .hint = "a type without a name is expected here";
    return nullptr;
  }
  out->span.end = last_.end;
  return out;
}

}  // namespace dt::d
