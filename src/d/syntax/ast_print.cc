#include "d/syntax/ast_print.h"

#include <fmt/core.h>

#include "d/syntax/parser.h"

namespace dt::d {
namespace {

// Indents for as long as it lives.
class Deeper {
 public:
  explicit Deeper(std::size_t& indent) : indent_(indent) { indent_ += 2; }
  ~Deeper() { indent_ -= 2; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  std::size_t& indent_;
};

const char* storage_text(Storage storage) {
  switch (storage) {
    case Storage::kNone:
      return "";
    case Storage::kThread:
      return "self";
    case Storage::kClause:
      return "this";
    case Storage::kTypedef:
      return "typedef";
    case Storage::kExtern:
      return "extern";
    case Storage::kStatic:
      return "static";
    case Storage::kAuto:
      return "auto";
    case Storage::kRegister:
      return "register";
  }
  return "";
}

std::string spec_text(const TypeSpec& spec) {
  std::string out;
  const auto word = [&out](std::string_view text, bool there = true) {
    if (there && !text.empty()) {
      out += out.empty() ? "" : " ";
      out += text;
    }
  };
  word(storage_text(spec.storage));
  word("const", spec.is_const);
  word("volatile", spec.is_volatile);
  word("restrict", spec.is_restrict);
  word("userland", spec.is_userland);
  word("signed", spec.is_signed);
  word("unsigned", spec.is_unsigned);
  word("short", spec.is_short);
  for (std::uint8_t i = 0; i < spec.longs; ++i) {
    word("long");
  }
  word("struct", spec.tag == TypeSpec::Tag::kStruct);
  word("union", spec.tag == TypeSpec::Tag::kUnion);
  word("enum", spec.tag == TypeSpec::Tag::kEnum);
  const std::string& name = spec.tag == TypeSpec::Tag::kNone ? spec.base : spec.tag_name;
  word(spec.module.empty() ? name : spec.module + "`" + name);
  return out;
}

std::string value_text(const Expr& e) {
  switch (e.kind) {
    case ExprKind::kInt:
      return fmt::format("{}{}{}{}", e.int_value, e.int_unsigned ? "u" : "",
                         std::string(e.int_longs, 'l'), e.is_char ? " char" : "");
    case ExprKind::kString:
      return quoted_string(e.text);
    case ExprKind::kScoped:
      return e.module + "`" + e.text;
    case ExprKind::kMember:
      return (e.arrow ? "->" : ".") + e.text;
    case ExprKind::kAggregation:
      return "@" + e.text;
    case ExprKind::kAssign:
      return std::string(op_text(e.op)) + "=";
    default:
      return e.text.empty() ? op_text(e.op) : e.text;
  }
}

}  // namespace

const char* kind_word(ExprKind kind) {
  switch (kind) {
    case ExprKind::kInt:
      return "int";
    case ExprKind::kFloat:
      return "float";
    case ExprKind::kString:
      return "string";
    case ExprKind::kIdent:
      return "ident";
    case ExprKind::kScoped:
      return "scoped";
    case ExprKind::kThreadVar:
      return "self";
    case ExprKind::kClauseVar:
      return "this";
    case ExprKind::kAggregation:
      return "aggregation";
    case ExprKind::kUnary:
      return "unary";
    case ExprKind::kPostfix:
      return "postfix";
    case ExprKind::kBinary:
      return "binary";
    case ExprKind::kAssign:
      return "assign";
    case ExprKind::kTernary:
      return "ternary";
    case ExprKind::kComma:
      return "comma";
    case ExprKind::kCall:
      return "call";
    case ExprKind::kIndex:
      return "index";
    case ExprKind::kMember:
      return "member";
    case ExprKind::kCast:
      return "cast";
    case ExprKind::kSizeofType:
      return "sizeof-type";
    case ExprKind::kSizeofExpr:
      return "sizeof";
    case ExprKind::kOffsetof:
      return "offsetof";
    case ExprKind::kStringof:
      return "stringof";
    case ExprKind::kBuilt:
      return "built";
    case ExprKind::kXlate:
      return "xlate";
  }
  return "";
}

std::string quoted_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

void AstPrinter::line(std::string_view text) {
  out_.append(indent_, ' ');
  out_ += text;
  out_ += '\n';
}

std::string AstPrinter::place(Span span) const {
  const Source& source = sources_.at(span.source);
  const support::Location begin = source.physical(span.begin);
  const support::Location end = source.physical(span.end);
  return fmt::format("{}:{}-{}:{}", begin.line, begin.column, end.line, end.column);
}

void AstPrinter::expr(const Expr& e) {
  const std::string value = value_text(e);
  line(fmt::format("{} {}{}{}", kind_word(e.kind), place(e.span), value.empty() ? "" : " ", value));
  const Deeper deeper(indent_);
  if (e.type_name != nullptr) {
    type("type", *e.type_name);
  }
  for (const Expr* arg : e.args) {
    expr(*arg);
  }
}

void AstPrinter::stmt(const Stmt& s) {
  switch (s.kind) {
    case StmtKind::kExpr:
      return expr(*s.expr);
    case StmtKind::kEmpty:
      return line(fmt::format("empty {}", place(s.span)));
    case StmtKind::kIf:
      line(fmt::format("if {}", place(s.span)));
      break;
    case StmtKind::kBlock:
      line(fmt::format("block {}", place(s.span)));
      break;
  }
  const Deeper deeper(indent_);
  if (s.expr != nullptr) {
    expr(*s.expr);
  }
  for (std::size_t i = 0; i < s.body.size(); ++i) {
    if (s.kind == StmtKind::kIf) {
      line(i == 0 ? "then" : "else");
      const Deeper branch(indent_);
      stmt(*s.body[i]);
    } else {
      stmt(*s.body[i]);
    }
  }
}

void AstPrinter::clause(const Clause& c) {
  line(fmt::format("clause {}", place(c.span)));
  const Deeper deeper(indent_);
  for (const ProbeSpec& probe : c.probes) {
    line(fmt::format("probe {} {}", place(probe.span), quoted_string(probe.text)));
  }
  if (c.predicate != nullptr) {
    line("predicate");
    const Deeper inner(indent_);
    expr(*c.predicate);
  }
  if (c.has_body) {
    line("body");
    const Deeper inner(indent_);
    for (const Stmt* s : c.body) {
      stmt(*s);
    }
  }
}

void AstPrinter::part(const Declarator::Part& p) {
  switch (p.kind) {
    case Declarator::Part::Kind::kPointer:
      line(p.is_const ? "pointer const" : "pointer");
      break;
    case Declarator::Part::Kind::kArray:
      line("array");
      break;
    case Declarator::Part::Kind::kAssoc:
      line("assoc");
      break;
    case Declarator::Part::Kind::kFunction:
      line(p.variadic ? "function ..." : "function");
      break;
  }
  const Deeper deeper(indent_);
  if (p.count != nullptr) {
    expr(*p.count);
  }
  for (std::size_t i = 0; i < p.types.size(); ++i) {
    type("type", *p.types[i], p.names[i]);
  }
}

void AstPrinter::spec(const TypeSpec& s) {
  if (s.body != nullptr) {
    for (const StructDecl::Field& field : s.body->fields) {
      line(fmt::format("field {} {}", place(field.spec.span), spec_text(field.spec)));
      const Deeper deeper(indent_);
      spec(field.spec);
      for (const Declarator& d : field.declarators) {
        declarator(d);
      }
    }
  }
  if (s.enum_body != nullptr) {
    for (const EnumDecl::Item& item : s.enum_body->items) {
      line(fmt::format("enumerator {} {}", place(item.span), item.name));
      if (item.value != nullptr) {
        const Deeper deeper(indent_);
        expr(*item.value);
      }
    }
  }
}

void AstPrinter::declarator(const Declarator& d) {
  line(d.name.empty() ? "declarator" : fmt::format("declarator {} {}", place(d.name_span), d.name));
  const Deeper deeper(indent_);
  for (const Declarator::Part& p : d.parts) {
    part(p);
  }
  if (d.bit_width != nullptr) {
    line("bits");
    const Deeper inner(indent_);
    expr(*d.bit_width);
  }
}

void AstPrinter::type(std::string_view role, const TypeName& t, std::string_view name) {
  line(fmt::format("{} {} {}{}{}", role, place(t.span), spec_text(t.spec),
                   name.empty() ? "" : " : ", name));
  const Deeper deeper(indent_);
  spec(t.spec);
  for (const Declarator::Part& p : t.declarator.parts) {
    part(p);
  }
}

void AstPrinter::declaration(const Declaration& d) {
  line(fmt::format("declaration {} {}", place(d.span), spec_text(d.spec)));
  const Deeper deeper(indent_);
  spec(d.spec);
  for (const Declarator& one : d.declarators) {
    declarator(one);
  }
}

void AstPrinter::inline_(const Inline& i) {
  line(fmt::format("inline {} {}", place(i.span), spec_text(i.spec)));
  const Deeper deeper(indent_);
  spec(i.spec);
  declarator(i.declarator);
  expr(*i.value);
}

void AstPrinter::translator(const Translator& t) {
  line(fmt::format("translator {}", place(t.span)));
  const Deeper deeper(indent_);
  type("output", *t.output);
  type("input", *t.input, t.input_name);
  for (const Translator::Member& m : t.members) {
    line(fmt::format("member {} {}", place(m.span), m.name));
    const Deeper inner(indent_);
    expr(*m.value);
  }
}

void AstPrinter::provider(const ProviderDecl& p) {
  line(fmt::format("provider {} {}", place(p.span), p.name));
  const Deeper deeper(indent_);
  for (const ProviderDecl::ProbeDecl& probe : p.probes) {
    line(fmt::format("probe {} {}", place(probe.span), probe.name));
    const Deeper inner(indent_);
    for (std::size_t i = 0; i < probe.native.size(); ++i) {
      type("native", *probe.native[i], probe.native_names[i]);
    }
    for (std::size_t i = 0; i < probe.translated.size(); ++i) {
      type("translated", *probe.translated[i], probe.translated_names[i]);
    }
  }
}

void AstPrinter::unit(const Unit& u) {
  for (const Item& item : u.items) {
    switch (item.kind) {
      case Item::Kind::kClause:
        clause(u.clauses[item.index]);
        break;
      case Item::Kind::kDeclaration:
        declaration(u.declarations[item.index]);
        break;
      case Item::Kind::kInline:
        inline_(u.inlines[item.index]);
        break;
      case Item::Kind::kTranslator:
        translator(u.translators[item.index]);
        break;
      case Item::Kind::kProvider:
        provider(u.providers[item.index]);
        break;
      case Item::Kind::kPragma: {
        const Pragma& p = u.pragmas[item.index];
        line(fmt::format("pragma {} {}", place(p.span), quoted_string(p.text)));
        break;
      }
    }
  }
}

std::string print(const Unit& unit, const Sources& sources) {
  AstPrinter printer(sources);
  printer.unit(unit);
  return printer.take();
}

}  // namespace dt::d
