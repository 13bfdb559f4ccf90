// See parse_expressions.h.

#include "stap/syntax/parse_expressions.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "stap/syntax/format.h"

namespace dt::stap {
namespace {

constexpr std::string_view kAssignments[] = {
    "=", "<<<", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>=", ".="};

// What binds less stands first; `in` is between the third and the fourth from the end of the
// logical ones.
struct Level {
  std::vector<std::string_view> operators;
};
const std::vector<Level>& levels() {
  static const std::vector<Level> all = {
      {{"||"}},
      {{"&&"}},
      {{"|"}},
      {{"^"}},
      {{"&"}},
      {{}},  // in
      {{"==", "!=", "<", ">", "<=", ">=", "=~", "!~"}},
      {{"<<", ">>", ">>>"}},
      {{"."}},
      {{"+", "-"}},
      {{"*", "/", "%"}},
  };
  return all;
}
constexpr std::size_t kMembership = 5;

// Words that are always calls.
bool is_print_word(std::string_view name) {
  constexpr std::string_view kAll[] = {"print",  "println",  "printd",  "printdln",  "printf",
                                       "sprint", "sprintln", "sprintd", "sprintdln", "sprintf"};
  return std::find(std::begin(kAll), std::end(kAll), name) != std::end(kAll);
}

}  // namespace

bool is_statistic(std::string_view name) {
  constexpr std::string_view kAll[] = {"@count", "@sum",      "@min",      "@max",
                                       "@avg",   "@variance", "@hist_log", "@hist_linear"};
  return std::find(std::begin(kAll), std::end(kAll), name) != std::end(kAll);
}

ExprPtr ExpressionParser::make(ExprKind kind, const Token& at, std::string text) {
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  expr->span = expr->place = at.span;
  expr->text = std::move(text);
  return expr;
}

// The whole ends with what was taken last.
void ExpressionParser::close(Expr& expr) {
  if (s_.last().span.source == expr.span.source && s_.last().span.end > expr.span.end) {
    expr.span.end = s_.last().span.end;
  }
}

ExprPtr ExpressionParser::expression() {
  if (!s_.enter()) return nullptr;
  ExprPtr left = ternary();
  if (left != nullptr) {
    const Token& op = s_.peek();
    for (const std::string_view one : kAssignments) {
      if (!op.is(one)) continue;
      s_.take();
      ExprPtr whole = make(ExprKind::kAssign, op, std::string(one));
      whole->span.begin = left->span.begin;
      whole->kids.push_back(std::move(left));
      ExprPtr right = expression();
      if (right == nullptr) return nullptr;
      whole->kids.push_back(std::move(right));
      close(*whole);
      left = std::move(whole);
      break;
    }
  }
  s_.leave();
  return left;
}

ExprPtr ExpressionParser::ternary() {
  ExprPtr condition = binary(0);
  if (condition == nullptr || !s_.peek().is("?")) return condition;
  ExprPtr whole = make(ExprKind::kTernary, s_.take());
  whole->span.begin = condition->span.begin;
  whole->kids.push_back(std::move(condition));
  for (int i = 0; i < 2; ++i) {
    if (i == 1 && !s_.expect(":")) return nullptr;
    if (!s_.enter()) return nullptr;
    ExprPtr branch = expression();
    s_.leave();
    if (branch == nullptr) return nullptr;
    whole->kids.push_back(std::move(branch));
  }
  close(*whole);
  return whole;
}

// Chains of operators nest to the left, without a level of the parser for each.
bool ExpressionParser::deepen(Expr& whole, const Expr& left) {
  constexpr std::size_t kMostDepth = 1000;
  whole.depth = left.depth + 1;
  return whole.depth < kMostDepth || s_.error("nested too deeply", s_.last());
}

ExprPtr ExpressionParser::binary(std::size_t level) {
  if (level == levels().size()) return unary();
  if (level == kMembership) return membership();
  ExprPtr left = binary(level + 1);
  while (left != nullptr) {
    const Token& op = s_.peek();
    const auto& all = levels()[level].operators;
    if (op.kind != TokenKind::kOperator ||
        std::find(all.begin(), all.end(), op.text) == all.end()) {
      break;
    }
    s_.take();
    ExprPtr whole = make(ExprKind::kBinary, op, op.text);
    whole->span.begin = left->span.begin;
    if (!deepen(*whole, *left)) return nullptr;
    whole->kids.push_back(std::move(left));
    const bool is_match = op.is("=~") || op.is("!~");
    if (is_match && s_.peek().kind != TokenKind::kString) {
      s_.error("expected literal string", s_.peek());
      return nullptr;
    }
    ExprPtr right = is_match ? value() : binary(level + 1);
    if (right == nullptr) return nullptr;
    whole->kids.push_back(std::move(right));
    close(*whole);
    left = std::move(whole);
  }
  return left;
}

// [a, *], whose expressions bind closer than `in`.
bool ExpressionParser::keys_of_membership(std::vector<ExprPtr>& out) {
  s_.take();
  while (true) {
    if (s_.peek().is("*") && (s_.peek(1).is(",") || s_.peek(1).is("]"))) {
      s_.take();
      out.push_back(nullptr);
    } else {
      ExprPtr one = binary(kMembership + 1);
      if (one == nullptr) return false;
      out.push_back(std::move(one));
    }
    if (s_.accept("]")) return true;
    if (!s_.accept(",")) return s_.error("expected ',' or ']'", s_.peek());
  }
}

// [a, b] in array, or a in array.
ExprPtr ExpressionParser::membership() {
  const Token& first = s_.peek();
  ExprPtr left;
  std::vector<ExprPtr> keys;
  if (first.is("[")) {
    if (!keys_of_membership(keys)) return nullptr;
    if (!s_.peek().is("in")) {
      s_.error(keys.size() > 1 ? "unexpected comma-separated expression list" : "expected 'in'",
               s_.peek());
      return nullptr;
    }
  } else {
    left = binary(kMembership + 1);
    if (left == nullptr) return nullptr;
  }
  while (s_.accept("in")) {
    ExprPtr whole = make(ExprKind::kIn, first);
    if (left != nullptr) {
      if (!deepen(*whole, *left)) return nullptr;
      keys.push_back(std::move(left));
    }
    if (!s_.peek().is_name()) {
      s_.error("expected identifier or statistical operation", s_.peek());
      return nullptr;
    }
    whole->place = s_.peek().span;
    whole->text = s_.take().text;
    whole->kids = std::move(keys);
    keys.clear();
    close(*whole);
    left = std::move(whole);
  }
  return left;
}

ExprPtr ExpressionParser::unary() {
  const Token& op = s_.peek();
  if (op.is("++") || op.is("--")) {
    s_.take();
    ExprPtr whole = make(ExprKind::kIncrement, op, op.text);
    whole->is_prefix = true;
    if (!s_.enter()) return nullptr;
    ExprPtr of = unary();
    s_.leave();
    if (of == nullptr) return nullptr;
    whole->kids.push_back(std::move(of));
    close(*whole);
    return whole;
  }
  const bool is_address = op.is("&");
  if (!op.is("+") && !op.is("-") && !op.is("!") && !op.is("~") && !is_address) return postfix();
  if (!s_.enter()) return nullptr;
  s_.take();
  ExprPtr of = unary();
  s_.leave();
  if (of == nullptr) return nullptr;
  if (is_address) {
    if (of->kind != ExprKind::kTarget && of->kind != ExprKind::kAtOperator &&
        of->kind != ExprKind::kMember) {
      s_.error("expected target variable", op);
      return nullptr;
    }
    of->is_address = true;
    of->span.begin = op.span.begin;
    return of;
  }
  ExprPtr whole = make(ExprKind::kUnary, op, op.text);
  whole->kids.push_back(std::move(of));
  close(*whole);
  return whole;
}

ExprPtr ExpressionParser::postfix() {
  ExprPtr of = members(value());
  if (of == nullptr || (!s_.peek().is("++") && !s_.peek().is("--"))) return of;
  ExprPtr whole = make(ExprKind::kIncrement, s_.peek(), s_.peek().text);
  s_.take();
  whole->span.begin = of->span.begin;
  whole->kids.push_back(std::move(of));
  return whole;
}

ExprPtr ExpressionParser::value() {
  const Token& token = s_.peek();
  switch (token.kind) {
    case TokenKind::kNumber: {
      s_.take();
      ExprPtr number = make(ExprKind::kNumber, token, token.text);
      number->number = token.number;
      return number;
    }
    case TokenKind::kString:
      s_.take();
      return make(ExprKind::kString, token, token.text);
    case TokenKind::kIdentifier:
      if (token.text[0] == '$') return target();
      if (token.text[0] == '@') return at_operator();
      if (!is_keyword(token.text)) return name();
      break;
    case TokenKind::kEmbedded:
      if (!s_.allows_embedded(token, "embedded expression code")) return nullptr;
      s_.take();
      return make(ExprKind::kEmbedded, token, token.text);
    case TokenKind::kEnd:
    case TokenKind::kBroken:
      break;
    case TokenKind::kOperator:
      if (token.is("(")) return bracketed();
      if (token.text[0] == '@') {
        s_.take();
        s_.error(fmt::format("unknown operator {}", token.text), token, s_.hint_of_last());
        return nullptr;
      }
      break;
  }
  s_.error("expected literal string or number", token);
  return nullptr;
}

ExprPtr ExpressionParser::bracketed() {
  s_.take();
  ExprPtr inner = expression();
  if (inner == nullptr || !s_.expect(")")) return nullptr;
  return inner;
}

ExprPtr ExpressionParser::name() {
  const Token& token = s_.take();
  if (is_print_word(token.text) && !s_.peek().is("(")) {
    s_.error("expected '('", s_.peek());
    return nullptr;
  }
  if (s_.accept("(")) {
    ExprPtr call = make(ExprKind::kCall, token, token.text);
    if (!first_of_printing(token.text)) return nullptr;
    // The order of what may follow is that of SystemTap's own message.
    const std::string_view choice =
        is_print_word(token.text) ? "expected one of ', )'" : "expected one of ') ,'";
    if (!arguments(call->kids, choice) || !printing(*call)) return nullptr;
    close(*call);
    return call;
  }
  if (s_.peek().is("[")) {
    ExprPtr element = make(ExprKind::kIndex, token, token.text);
    if (!indices(element->kids)) return nullptr;
    close(*element);
    return element;
  }
  return make(ExprKind::kName, token, token.text);
}

// What stands behind the '(' of a function that prints: a literal format or delimiter, or a
// histogram.
bool ExpressionParser::first_of_printing(std::string_view name) {
  if (!is_print_word(name)) return true;
  const Token &first = s_.peek(), &next = s_.peek(1);
  const bool is_formatted = name.ends_with("printf");
  const bool is_delimited = name.ends_with("printd") || name.ends_with("printdln");
  if (!is_formatted && !is_delimited) {
    histogram_ = &first;
    return true;
  }
  if (first.kind != TokenKind::kString) return true;
  if (is_formatted) {
    std::string wrong, hint;
    parse_format(first.text, wrong, &hint);
    if (!wrong.empty()) return s_.error(wrong, next, hint);
  }
  return next.is(",") || next.is(")") || s_.error("expected one of ', )'", next);
}

Token ExpressionParser::token_of(const Expr& of) {
  const TokenKind kind = of.kind == ExprKind::kNumber   ? TokenKind::kNumber
                         : of.kind == ExprKind::kString ? TokenKind::kString
                                                        : TokenKind::kIdentifier;
  return Token{kind, of.text, of.number, of.place};
}

// What printf() and similar functions demand of how they are written: a literal format or
// delimiter.
bool ExpressionParser::printing(const Expr& call) {
  if (!is_print_word(call.text)) return true;
  const std::string_view name = call.text;
  const bool is_formatted = name.ends_with("printf");
  const bool is_delimited = name.ends_with("printd") || name.ends_with("printdln");
  const auto at = [&](std::size_t kid) { return token_of(*call.kids[kid]); };
  if (is_formatted || is_delimited) {
    if (call.kids.empty()) return s_.error("expected literal string", s_.last());
    if (call.kids[0]->kind != ExprKind::kString) return s_.error("expected literal string", at(0));
  }
  if (is_formatted) {
    // One in parentheses was not seen by first_of_printing().
    std::string wrong, hint;
    parse_format(call.kids[0]->text, wrong, &hint);
    return wrong.empty() || s_.error(wrong, at(0), hint);
  }
  const std::size_t least = is_delimited ? 2 : name.ends_with("ln") ? 0 : 1;
  if (call.kids.size() >= least) return true;
  return s_.error("expected literal string or number", s_.last(),
                  fmt::format("{}() has too few arguments", name));
}

// Behind the '('.
bool ExpressionParser::arguments(std::vector<ExprPtr>& out, std::string_view choice) {
  commas_.clear();
  if (s_.accept(")")) return true;
  std::vector<Token> commas;
  while (true) {
    ExprPtr one = expression();
    if (one == nullptr) return false;
    out.push_back(std::move(one));
    if (s_.accept(")")) {
      commas_ = std::move(commas);
      return true;
    }
    commas.push_back(s_.peek());
    if (!s_.accept(",")) return s_.error(choice, s_.peek());
  }
}

bool ExpressionParser::indices(std::vector<ExprPtr>& out) {
  if (!s_.expect("[")) return false;
  while (true) {
    if (s_.peek().is("*") && (s_.peek(1).is(",") || s_.peek(1).is("]"))) {
      s_.take();
      out.push_back(nullptr);
    } else {
      ExprPtr one = expression();
      if (one == nullptr) return false;
      out.push_back(std::move(one));
    }
    if (s_.accept("]")) return true;
    if (!s_.accept(",")) return s_.error("expected one of '] ,'", s_.peek());
  }
}

// x->member of a variable, a call, an operator or what stands in parentheses: its type is inferred.
ExprPtr ExpressionParser::members(ExprPtr of) {
  if (of == nullptr) return of;
  const bool has_index = s_.peek().is("[") && of->kind == ExprKind::kAtOperator;
  if (!s_.peek().is("->") && !has_index) return of;
  auto whole = std::make_unique<Expr>();
  whole->kind = ExprKind::kMember;
  whole->span = of->span;
  whole->place = of->place;
  whole->text = of->text;
  whole->kids.push_back(std::move(of));
  return parts(*whole) ? std::move(whole) : nullptr;
}

// $x$ and $x$$, $x->y$, $x[1]$: the $ behind the name, or behind all.
void ExpressionParser::pretty_print(Expr& of) {
  std::string* const last = of.parts.empty()                   ? &of.text
                            : of.parts.back().index == nullptr ? &of.parts.back().member
                                                               : nullptr;
  while (last != nullptr && last->size() > 1 && last->ends_with('$')) {
    last->pop_back();
    ++of.pretty;
  }
  if (s_.accept("$")) of.pretty = 1;
  if (s_.accept("$$")) of.pretty = 2;
}

bool ExpressionParser::parts(Expr& of) {
  while (!s_.failed()) {
    const Span place = s_.peek().span;
    if (s_.accept("->")) {
      if (!s_.peek().is_name()) return s_.error("expected identifier or keyword", s_.peek());
      of.parts.push_back({s_.take().text, nullptr, place});
    } else if (s_.accept("[")) {
      ExprPtr index = expression();
      if (index == nullptr || !s_.expect("]")) return false;
      of.parts.push_back({"", std::move(index), place});
    } else {
      break;
    }
  }
  pretty_print(of);
  close(of);
  return !s_.failed();
}

ExprPtr ExpressionParser::target() {
  const Token& token = s_.take();
  ExprPtr whole = make(ExprKind::kTarget, token, token.text);
  return parts(*whole) ? std::move(whole) : nullptr;
}

// (x, low, high, width): numbers behind the statistic.
bool ExpressionParser::statistic_parameters(Expr& of) {
  const bool is_linear = of.text == "@hist_linear", is_log = of.text == "@hist_log";
  const std::size_t most = is_linear ? 3 : of.text == "@variance" ? 1 : 0;
  while (is_linear ? of.numbers.size() < most : s_.peek().is(",") && !is_log) {
    if (!is_linear && of.numbers.size() == most) {
      return s_.error_at(
          fmt::format("not more than {} parameter{} allowed", most + 1, most == 0 ? "" : "s"),
          s_.peek());
    }
    if (!s_.expect(",")) return false;
    const bool is_negative = s_.accept("-");
    if (s_.peek().kind != TokenKind::kNumber) return s_.error("expected number", s_.peek());
    const std::int64_t number = s_.take().number;
    of.numbers.push_back(is_negative ? -number : number);
  }
  return true;
}

// How many operands an operator has, and which of them are literals.
bool ExpressionParser::operands(const Expr& of) {
  struct Row {
    std::string_view name;
    std::size_t least, most;
    std::string_view kinds;  // e: an expression, s: a literal string, n: a number, w: a name
  };
  constexpr Row kRows[] = {
      {"@cast", 2, 3, "ess"},     {"@defined", 1, 1, "e"},   {"@entry", 1, 1, "e"},
      {"@var", 1, 2, "ss"},       {"@perf", 1, 1, "s"},      {"@const", 1, 1, "s"},
      {"@enum", 1, 1, "s"},       {"@enumname", 2, 2, "se"}, {"@choose_defined", 2, 2, "ee"},
      {"@probewrite", 1, 1, "w"}, {"@kderef", 2, 2, "ne"},   {"@uderef", 2, 2, "ne"},
      {"@kregister", 1, 1, "n"},  {"@uregister", 1, 1, "n"}, {"@errno", 0, 0, ""},
  };
  const auto row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& one) { return one.name == of.text; });
  if (row == std::end(kRows))
    return s_.error(fmt::format("unknown operator {}", of.text), s_.last());
  const bool is_of_type = of.text == "@cast" || of.text == "@var";
  const std::string_view string = is_of_type ? "expected string" : "expected literal string";
  if (of.kids.size() < row->least) {
    // SystemTap has it from a macro.
    if (of.text == "@choose_defined") {
      return s_.error_at(fmt::format("too few parameters for macro '{}' (expected 2)", of.text),
                         s_.last());
    }
    return s_.error(!of.kids.empty()       ? "expected ','"
                    : row->kinds[0] == 's' ? string
                    : row->kinds[0] == 'w' ? "expected identifier"
                                           : "expected literal string or number",
                    s_.last());
  }
  if (of.kids.size() > row->most) {
    if (row->most == 0) return s_.error("expected ')'", token_of(*of.kids[0]));
    return s_.error("expected ')'", commas_[row->most - 1]);
  }
  for (std::size_t i = 0; i < of.kids.size(); ++i) {
    const ExprKind kind = of.kids[i]->kind;
    const char wanted = row->kinds[i];
    const Token at = token_of(*of.kids[i]);
    if (wanted == 's' && kind != ExprKind::kString) return s_.error(string, at);
    if (wanted == 'n' && kind != ExprKind::kNumber) return s_.error("expected literal number", at);
    if (wanted == 'w' && kind != ExprKind::kName) return s_.error("expected identifier", at);
  }
  return true;
}

ExprPtr ExpressionParser::histogram() {
  histogram_ = &s_.peek();
  return ternary();
}

// A histogram that is not indexed is all that is printed, or that a loop goes over, whose limit may
// follow.
bool ExpressionParser::may_be_whole(const Token& histogram) {
  if (&histogram != histogram_) {
    return s_.error_at("base histogram operator where expression expected", histogram);
  }
  return s_.peek().is(")") || s_.peek().is("limit") || s_.error("expected ')'", s_.peek());
}

ExprPtr ExpressionParser::at_operator() {
  const Token& token = s_.take();
  const bool is_histogram = token.text == "@hist_log" || token.text == "@hist_linear";
  ExprPtr whole = make(is_statistic(token.text) ? ExprKind::kStatistic : ExprKind::kAtOperator,
                       token, token.text);
  if (!s_.expect("(")) return nullptr;
  if (whole->kind == ExprKind::kAtOperator) {
    if (!arguments(whole->kids, "expected one of ') ,'") || !operands(*whole)) return nullptr;
    if (whole->text == "@cast" || whole->text == "@var") {
      return parts(*whole) ? std::move(whole) : nullptr;
    }
    close(*whole);
    return members(std::move(whole));
  }
  if (!s_.enter()) return nullptr;
  ExprPtr of = ternary();
  s_.leave();
  if (of == nullptr) return nullptr;
  whole->kids.push_back(std::move(of));
  if (!statistic_parameters(*whole) || !s_.expect(")")) return nullptr;
  close(*whole);
  if (!is_histogram) return whole;
  if (!s_.peek().is("[")) return may_be_whole(token) ? std::move(whole) : nullptr;
  ExprPtr bucket = make(ExprKind::kBucket, token, token.text);
  bucket->kids.push_back(std::move(whole));
  s_.take();
  ExprPtr index = expression();
  if (index == nullptr || !s_.expect("]")) return nullptr;
  bucket->kids.push_back(std::move(index));
  close(*bucket);
  return bucket;
}

}  // namespace dt::stap
