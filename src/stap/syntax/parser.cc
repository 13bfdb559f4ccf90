// See parser.h. Declarations and probe points are here; statements and expressions have files of
// their own.

#include "stap/syntax/parser.h"

#include <fmt/core.h>

#include <utility>

#include "stap/syntax/clone.h"
#include "stap/syntax/foreign_points.h"
#include "stap/syntax/foreign_words.h"
#include "stap/syntax/parse_expressions.h"
#include "stap/syntax/parse_state.h"
#include "stap/syntax/parse_statements.h"

namespace dt::stap {
namespace {

class Parser {
 public:
  Parser(const std::vector<Token>& tokens, Messages& messages, Script& script, bool is_privileged)
      : s_(tokens, messages, is_privileged), script_(script) {}

  bool run() {
    bool is_right = true;
    while (s_.peek().kind != TokenKind::kEnd) {
      if (declaration() && !s_.failed()) continue;
      is_right = false;
      s_.recover();
    }
    return is_right;
  }

 private:
  bool declaration() {
    const Token& token = s_.peek();
    if (token.is("probe")) return probe();
    const bool is_private = s_.accept("private");
    if (s_.peek().is("global") || (is_private && !s_.peek().is("function"))) {
      if (!s_.accept("global") && is_keyword(s_.peek().text)) {
        return s_.error("expected 'function' or identifier", s_.peek());
      }
      return globals(is_private);
    }
    if (s_.peek().is("function")) return function(is_private);
    if (token.kind == TokenKind::kEmbedded) {
      s_.take();
      if (!s_.allows_embedded(token)) return false;
      script_.embedded.push_back({token.text, token.span});
      return true;
    }
    return s_.error("expected 'probe', 'global', 'private', 'function', or '%{'", s_.peek(),
                    hint_of_clause(s_.peek(), s_.peek(1), s_.point_at(s_.peek())));
  }

  bool name(Name& out) {
    const Token& token = s_.peek();
    if (!token.is_name() || is_keyword(token.text) || token.text[0] == '$' ||
        token.text[0] == '@') {
      const bool is_end = token.kind == TokenKind::kEnd;
      return s_.error(is_end ? "unexpected end-of-file" : "expected identifier", token);
    }
    s_.take();
    out = {token.text, token.span};
    return true;
  }

  // ---- global ----

  bool globals(bool is_private) {
    do {
      Name named;
      const Token& at = s_.peek();
      if (!name(named)) return false;
      for (const auto& one : script_.globals) {
        if (one->name == named.text && one->span.source == named.span.source) {
          return s_.error("duplicate global name", at);
        }
      }
      auto symbol = std::make_unique<Symbol>();
      symbol->name = named.text;
      symbol->span = named.span;
      symbol->is_global = true;
      symbol->is_private = is_private;
      symbol->wraps = s_.accept("%");
      symbol->is_array = symbol->wraps;
      if (s_.accept("[")) {
        symbol->is_array = true;
        if (!array_size(*symbol) || !s_.expect("]")) return false;
        symbol->wraps = s_.accept("%") || symbol->wraps;  // a[5]% is a%[5]
      }
      if (symbol->is_array && s_.peek().is("=")) {
        return s_.error("only scalar globals can be initialized", s_.peek());
      }
      if (s_.accept("=") && !initial(*symbol)) return false;
      script_.globals.push_back(std::move(symbol));
    } while (s_.accept(","));
    s_.accept(";");
    return true;
  }

  bool array_size(Symbol& symbol) {
    const Token& size = s_.peek();
    if (size.kind == TokenKind::kEnd) return s_.error("unexpected end-of-file", size);
    if (size.kind != TokenKind::kNumber && !size.is("-")) return s_.error("expected number", size);
    constexpr std::int64_t kMost = 1'000'000;
    if (size.kind != TokenKind::kNumber || size.number <= 0 || size.number > kMost) {
      return s_.error("array size out of range", size);
    }
    symbol.most = s_.take().number;
    return true;
  }

  bool initial(Symbol& symbol) {
    const bool is_negative = s_.accept("-");
    const Token& token = s_.peek();
    const bool is_number = token.kind == TokenKind::kNumber;
    if (!is_number && (is_negative || token.kind != TokenKind::kString)) {
      return s_.error("expected literal string or number", token);
    }
    s_.take();
    symbol.initial = std::make_unique<Expr>();
    symbol.initial->kind = is_number ? ExprKind::kNumber : ExprKind::kString;
    symbol.initial->text = until_nul(token.text);
    symbol.initial->number = is_negative ? -token.number : token.number;
    symbol.initial->span = symbol.initial->place = token.span;
    return true;
  }

  // ---- function ----

  bool declared_type(Type& out) {
    out = Type::kUnknown;
    if (!s_.accept(":")) return true;
    if (s_.accept("long")) {
      out = Type::kLong;
    } else if (s_.accept("string")) {
      out = Type::kString;
    } else {
      return s_.error("expected 'string' or 'long'", s_.peek());
    }
    return true;
  }

  bool function(bool is_private) {
    s_.take();
    auto made = std::make_unique<Function>();
    made->is_private = is_private;
    Name named;
    if (!name(named)) return false;
    made->name = named.text;
    made->span = named.span;
    if (!declared_type(made->result)) return false;
    if (!s_.expect("(") || !parameters(*made) || !priority(*made)) return false;
    StmtPtr body;
    if (s_.peek().kind == TokenKind::kEmbedded) {
      const Token& embedded = s_.take();
      if (!s_.allows_embedded(embedded)) return false;
      made->is_embedded = true;
      made->embedded = embedded.text;
      body = std::make_unique<Stmt>();
      body->kind = StmtKind::kBlock;
      body->span = made->span;
    } else {
      body = statements_.body_of_function();
    }
    if (body == nullptr) return false;
    made->body = std::move(body);
    script_.functions.push_back(std::move(made));
    return true;
  }

  // Behind the '('.
  bool parameters(Function& of) {
    while (!s_.accept(")")) {
      Name parameter;
      Type type = Type::kUnknown;
      const Token& token = s_.peek();
      if (!name(parameter) || !declared_type(type)) return false;
      for (const Name& one : of.parameters) {
        if (one.text == parameter.text) return s_.error("duplicate parameter names", token);
      }
      of.parameters.push_back(parameter);
      of.declared.push_back(type);
      if (!s_.accept(",") && !s_.peek().is(")")) {
        return s_.error("expected ',' or ')'", s_.peek());
      }
    }
    return true;
  }

  // :2, behind the parameters.
  bool priority(Function& of) {
    if (!s_.accept(":")) return true;
    const bool is_negative = s_.accept("-");
    const Token& token = s_.peek();
    if (token.kind == TokenKind::kString) {
      s_.take();
      return s_.error("expected literal number", s_.peek());
    }
    if (token.kind != TokenKind::kNumber) {
      const bool is_type = token.is("long") || token.is("string");
      return s_.error(
          "expected literal string or number", token,
          is_type ? "the type of a result stands behind the name: function f:long(x)" : "");
    }
    if (is_negative || token.number <= 0) {
      return s_.error("specified priority must be > 0", token);
    }
    of.priority = s_.take().number;
    return true;
  }

  // ---- probe ----

  // Of a point that goes on in the language's own way no further than to here.
  std::string hint_of_point(const Token& at) const {
    if (at.is("/")) return "here a predicate is a condition in the handler: { if (...) ... }";
    const std::string hint = hint_of_foreign(s_.point_at(at));
    if (!hint.empty() || !at.is(":")) return hint;
    return "a probe of D is dtrace(\"provider:module:function:name\")";
  }

  bool probe() {
    auto made = std::make_unique<Probe>();
    made->span = s_.take().span;
    while (true) {
      std::vector<ProbePoint> points;
      if (!point(points)) return false;
      const bool is_alias = s_.peek().is("=") || s_.peek().is("+=");
      if (is_alias) {
        const bool is_more = !made->aliases.empty() && made->is_epilogue != s_.peek().is("+=");
        if (!made->points.empty() || points.size() != 1 || is_more) {
          return s_.error("expected probe point specifier", s_.peek());
        }
        const ProbePoint& name = points.front();
        for (const Component& one : name.components) {
          if (one.has_argument || one.name.find('*') != std::string::npos) {
            return s_.error("invalid probe point alias name", s_.peek());
          }
        }
        if (name.is_optional || name.is_sufficient || name.condition != nullptr) {
          return s_.error_at("probe point alias name cannot be optional nor sufficient",
                             {TokenKind::kIdentifier, name.components.front().name, 0, name.span});
        }
        made->aliases.push_back(to_text(name));
        made->is_epilogue = s_.take().is("+=");
        continue;
      }
      for (ProbePoint& one : points) made->points.push_back(std::move(one));
      if (s_.accept(",")) continue;
      if (s_.peek().is("{")) break;
      return s_.error("expected one of ', { } = +='", s_.peek(), hint_of_point(s_.peek()));
    }
    StmtPtr body = statements_.block();
    if (body == nullptr) return false;
    made->body = std::move(body);
    // An alias may have a body before, and one behind.
    if (!made->aliases.empty() && s_.accept(",")) {
      if (made->is_epilogue)
        return s_.error("Combined prologue and epilogue cannot be defined with '+='", s_.last());
      made->epilogue = statements_.block();
      if (made->epilogue == nullptr) return false;
    }
    (made->aliases.empty() ? script_.probes : script_.aliases).push_back(std::move(made));
    return true;
  }

  static bool is_adjacent(const Token& a, const Token& b) {
    return a.span.source == b.span.source && a.span.end == b.span.begin;
  }

  using Components = std::vector<Component>;

  // A name with wildcards, and the {a,b} of it: all that it means.
  bool component_names(std::vector<Components>& out) {
    out = {{Component()}};
    out.front().front().span = s_.peek().span;
    const Token* before = nullptr;
    while (true) {
      const Token& token = s_.peek();
      if (before != nullptr && !is_adjacent(*before, token)) break;
      if (token.is("{") && before != nullptr && !is_brace_list()) break;
      if (token.is("{") && is_brace_list()) {
        if (!braces(out)) return false;
        before = &s_.last();
        continue;
      }
      if (!token.is("*") && !token.is_name() &&
          !(before != nullptr && token.kind == TokenKind::kNumber)) {
        break;
      }
      for (Components& one : out) {
        if (one.back().has_argument) return s_.error("expected '.'", token);
        one.back().name += token.text;
      }
      before = &token;
      s_.take();
    }
    if (before == nullptr) return s_.error("expected identifier or '*' or '{'", s_.peek());
    return true;
  }

  // {a,b}, and not the body of a probe. Behind a dot, a("x").b may stand in it, too.
  bool is_brace_list() const {
    return (s_.last().is(".") && (s_.peek(1).is_name() || s_.peek(1).is("*"))) ||
           (s_.peek(1).is_name() &&
            (s_.peek(2).is(",") || s_.peek(2).is("}") || s_.peek(2).is("*")));
  }

  // Each of the points in the braces goes on from each of what stands before them.
  bool braces(std::vector<Components>& out) {
    s_.take();
    std::vector<Components> all;
    while (!s_.accept("}")) {
      std::vector<Components> inner;
      if (!components(inner)) return false;
      for (const Components& one : out) {
        for (const Components& other : inner) {
          Components made = one;
          const std::string name = one.back().name + other.front().name;
          made.back() = other.front();
          if (!one.back().name.empty()) made.back().span = one.back().span;
          made.back().name = name;
          made.insert(made.end(), other.begin() + 1, other.end());
          all.push_back(std::move(made));
        }
      }
      if (all.size() > kMostPoints) return s_.error("too many probe points", s_.peek());
      if (s_.peek().is("}")) continue;
      if (!s_.accept(",")) return s_.error("expected ',' or '}'", s_.peek());
      if (s_.peek().is("}")) return s_.error("expected identifier or '*' or '{'", s_.peek());
    }
    out = std::move(all);
    return true;
  }

  bool argument(Component& of) {
    if (!s_.accept("(")) return true;
    const bool is_negative = s_.accept("-");
    const Token& token = s_.peek();
    of.has_argument = true;
    if (token.kind == TokenKind::kString && !is_negative) {
      of.is_string = true;
      of.argument = token.text;
    } else if (token.kind == TokenKind::kNumber) {
      of.number = is_negative ? -token.number : token.number;
    } else {
      return s_.error("expected literal string or number", token);
    }
    s_.take();
    return s_.expect(")");
  }

  static constexpr std::size_t kMostPoints = 1000;

  // What stands between dots, with all that braces mean.
  bool components(std::vector<Components>& out) {
    if (!s_.enter()) return false;
    out = {{}};
    do {
      std::vector<Components> names;
      Component one;
      if (!component_names(names) || !argument(one)) return false;
      std::vector<Components> all;
      for (const Components& before : out) {
        for (const Components& name : names) {
          Components made = before;
          made.insert(made.end(), name.begin(), name.end());
          if (one.has_argument) {
            if (made.back().has_argument) return s_.error("expected '.'", s_.last());
            one.name = made.back().name;
            one.span = made.back().span;
            made.back() = one;
          }
          all.push_back(std::move(made));
        }
      }
      if (all.size() > kMostPoints) return s_.error("too many probe points", s_.peek());
      out = std::move(all);
    } while (s_.accept("."));
    s_.leave();
    return true;
  }

  bool point(std::vector<ProbePoint>& out) {
    const Span begin = s_.peek().span;
    std::vector<Components> all;
    if (!components(all)) return false;
    out.clear();
    for (Components& one : all) {
      out.emplace_back();
      out.back().span = begin;
      out.back().components = std::move(one);
    }
    return suffixes(out);
  }

  // ?, ! and if (...).
  bool suffixes(std::vector<ProbePoint>& out) {
    const Span end = s_.last().span;
    const bool is_optional = s_.accept("?");
    const bool is_sufficient = s_.accept("!");
    for (ProbePoint& one : out) {
      one.span.end = end.end > one.span.begin ? end.end : one.span.end;
      one.is_optional = is_optional;
      one.is_sufficient = is_sufficient;
    }
    if (!s_.accept("if")) return true;
    if (!s_.expect("(")) return false;
    out.front().condition = expressions_.expression();
    if (out.front().condition == nullptr) return false;
    for (std::size_t i = 1; i < out.size(); ++i) out[i].condition = clone(*out[0].condition);
    return s_.expect(")");
  }

  ParseState s_;
  Script& script_;
  ExpressionParser expressions_{s_};
  StatementParser statements_{s_, expressions_};
};

}  // namespace

std::string to_text(const ProbePoint& point) {
  std::string text;
  for (const Component& one : point.components) {
    text += (text.empty() ? "" : ".") + one.name;
    if (one.has_argument) {
      text +=
          one.is_string ? fmt::format("(\"{}\")", one.argument) : fmt::format("({})", one.number);
    }
  }
  return text;
}

bool parse(const std::vector<Token>& tokens, Messages& messages, Script& script,
           bool is_privileged) {
  return Parser(tokens, messages, script, is_privileged).run();
}

}  // namespace dt::stap
