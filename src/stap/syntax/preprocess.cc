// See preprocess.h.

#include "stap/syntax/preprocess.h"

#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace dt::stap {
namespace {

constexpr std::string_view kNoCondition =
    "expected 'arch', 'kernel_v', 'kernel_vr', 'systemtap_v',\n"
    "             'runtime', 'systemtap_privilege', 'CONFIG_...', or\n"
    "             comparison between strings or integers";

constexpr std::size_t kMostExpansions = 100;
constexpr std::size_t kMostTokens = 1000000;  // that macros make in a file; a use counts as one

// 6.1.0-13 against 6.2: the numbers one by one, as packages compare versions.
int compare_versions(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const auto number = [](std::string_view text, std::size_t& at) {
      while (at < text.size() && (text[at] < '0' || text[at] > '9')) ++at;
      unsigned long value = 0;
      while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
        value = value * 10 + static_cast<unsigned long>(text[at++] - '0');
      }
      return value;
    };
    const unsigned long left = number(a, i), right = number(b, j);
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}

// Whether a text fits a pattern with *, ? and [...].
bool matches(const std::string& pattern, const std::string& text) {
  return ::fnmatch(pattern.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
}

// What the words of a condition are compared with.
bool is_version(std::string_view word) {
  return word == "kernel_v" || word == "kernel_vr" || word == "systemtap_v";
}

class Preprocessor {
 public:
  Preprocessor(const ConditionValue& value_of, const Macros& library, Messages& messages)
      : value_of_(value_of), library_(library), messages_(messages) {}

  std::vector<Token> run(const std::vector<Token>& tokens) {
    end_ = tokens.back();
    std::vector<Token> out;
    if (!expand(tokens, out, 0)) out.push_back(error_);
    if (out.empty() || out.back().kind != TokenKind::kEnd) out.push_back(end_);
    return out;
  }

  // What it has defined, which must be all there is but its end.
  bool run_macros(const std::vector<Token>& tokens, Macros& out) {
    is_library_ = true;
    const std::vector<Token> rest = run(tokens);
    const auto broken = std::find_if(
        rest.begin(), rest.end(), [](const Token& one) { return one.kind == TokenKind::kBroken; });
    if (broken != rest.end()) {
      messages_.broken(*broken);
      return false;
    }
    if (rest.front().kind != TokenKind::kEnd) {
      messages_.parse_error("expected '@define': a file of macros has nothing else", rest.front());
      return false;
    }
    out.insert(macros_.begin(), macros_.end());
    return true;
  }

 private:
  using Tokens = std::vector<Token>;

  // The parser says it when it has come to here.
  bool error(std::string_view text, const Token& at) {
    const bool is_end = at.kind == TokenKind::kEnd;
    error_ = {TokenKind::kBroken, std::string(text), 0, at.span, is_end ? "" : describe(at)};
    return false;
  }

  // What a macro has made may end anywhere.
  const Token& get(const Tokens& in, std::size_t at) const {
    return at < in.size() ? in[at] : end_;
  }

  // The position of the %) that belongs to the %( before `at`; also finds the first %: of its
  // level, and a second one.
  struct End {
    std::size_t otherwise = 0, second = 0, end = 0;
  };
  static bool find_end(const Tokens& in, std::size_t at, End& found) {
    std::size_t depth = 0;
    for (std::size_t i = at; i < in.size(); ++i) {
      if (in[i].is("%(")) ++depth;
      if (depth == 0 && in[i].is("%:")) (found.otherwise == 0 ? found.otherwise : found.second) = i;
      if (in[i].is("%)") && depth-- == 0) {
        found.end = i;
        return true;
      }
    }
    return false;
  }

  bool expand(const Tokens& in, Tokens& out, std::size_t depth) {
    if (depth > kMostExpansions) return error("macros are nested too deeply", in.front());
    for (std::size_t at = 0; at < in.size(); ++at) {
      const Token& token = in[at];
      if (token.is("@define")) {
        if (!define(in, at)) out.push_back(error_);
      } else if (token.is("%(")) {
        if (!condition(in, at, out, depth)) return false;
      } else if (token.is("%?") || token.is("%:") || token.is("%)")) {
        error("incomplete conditional - missing '%('", token);
        out.push_back(error_);
      } else if (token.is_name() && token.text[0] == '@' && find(token.text) != nullptr) {
        if (!use(in, at, out, depth)) return false;
      } else {
        out.push_back(token);
        const bool is_word = token.is_name() && token.text[0] == '@';
        if (is_word && !is_at_operator(token.text)) out.back().kind = TokenKind::kOperator;
      }
    }
    return true;
  }

  // ___name in a macro of a file of macros: another one in each use, whose loops go over keys of
  // any type. A script may have globals of such names, which its own macros mean.
  static bool is_of_use(const Token& token) {
    return token.is_name() && token.text.starts_with("___");
  }

  // A macro may have the name of an operator.
  const Macro* find(const std::string& name) const {
    for (const Macros* const all : {&macros_, &library_}) {
      const auto found = all->find(name);
      if (found != all->end()) return &found->second;
    }
    return nullptr;
  }

  // @define name(a, b) %( ... %); leaves `at` at its last token, or at what is wrong.
  bool define(const Tokens& in, std::size_t& at) {
    const Token& name = get(in, ++at);
    if (!name.is_name()) return error("expected identifier", name);
    Macro macro;
    macro.has_parentheses = get(in, ++at).is("(");
    if (macro.has_parentheses) {
      do {
        const Token& parameter = get(in, ++at);
        if (!parameter.is_name()) return error("expected identifier", parameter);
        macro.parameters.push_back(parameter.text);
      } while (get(in, ++at).is(","));
      if (!get(in, at).is(")")) return error("expected ',' or ')'", get(in, at));
      ++at;
    }
    if (!get(in, at).is("%(")) {
      return error(macro.has_parentheses ? "expected '%('" : "expected '%(' or '('", get(in, at));
    }
    End found;
    if (!find_end(in, at + 1, found)) {
      at = in.size();
      return error("incomplete macro definition - missing '%)'", name);
    }
    macro.body.assign(in.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                      in.begin() + static_cast<std::ptrdiff_t>(found.end));
    const bool is_twice = is_library_ && library_.contains("@" + name.text);
    if (is_twice || !macros_.emplace("@" + name.text, std::move(macro)).second) {
      return error(fmt::format("attempt to redefine macro '@{}' in the same file", name.text),
                   name);
    }
    at = found.end;
    return true;
  }

  // The arguments of a macro; leaves `at` at the ')'. `commas`: between them.
  bool arguments(const Tokens& in, std::size_t& at, std::vector<Tokens>& out,
                 std::vector<std::size_t>& commas) const {
    std::size_t depth = 0;
    out.emplace_back();
    for (++at; at < in.size() && in[at].kind != TokenKind::kEnd; ++at) {
      const Token& token = in[at];
      if (token.is("(") || token.is("[") || token.is("{")) ++depth;
      if (depth == 0 && token.is(")")) return true;
      if (token.is(")") || token.is("]") || token.is("}")) --depth;
      if (depth == 0 && token.is(",")) {
        commas.push_back(at);
        out.emplace_back();
      } else {
        out.back().push_back(token);
      }
    }
    return false;
  }

  // As many as the macro has parameters; leaves `at` at the ')'.
  bool fitting_arguments(const Tokens& in, std::size_t& at, const Macro& macro,
                         std::vector<Tokens>& given) {
    const Token& name = in[at];
    const std::size_t wanted = macro.parameters.size();
    if (!get(in, at + 1).is("(")) {
      return error(fmt::format("expected '(' in invocation of macro '{}' taking {} parameter{}",
                               name.text, wanted, wanted == 1 ? "" : "s"),
                   get(in, at + 1));
    }
    std::vector<std::size_t> commas;
    if (!arguments(in, ++at, given, commas)) {
      return error("could not find end of macro invocation", name);
    }
    if (given.size() == wanted) return true;
    const bool is_few = given.size() < wanted;
    return error(fmt::format("too {} parameters for macro '{}' (expected {})",
                             is_few ? "few" : "many", name.text, wanted),
                 is_few ? in[at] : in[commas[wanted - 1]]);
  }

  // What macros make is held in memory before any of it is known to remain.
  bool count(std::size_t tokens, const Token& macro) {
    made_ += tokens;
    return made_ <= kMostTokens || error("macros make too many tokens", macro);
  }

  bool use(const Tokens& in, std::size_t& at, Tokens& out, std::size_t depth) {
    const Token& name = in[at];
    const Macro macro = *find(name.text);
    const bool is_of_script = macros_.contains(name.text);
    std::vector<Tokens> given;
    if (macro.has_parentheses && !fitting_arguments(in, at, macro, given)) return false;
    Tokens filled;
    ++uses_;
    if (!count(1, name)) return false;
    for (const Token& token : macro.body) {
      const auto parameter = std::find_if(
          macro.parameters.begin(), macro.parameters.end(),
          [&](const std::string& one) { return token.is_name() && token.text == "@" + one; });
      messages_.add_expansion(token.span, name.span);
      if (parameter != macro.parameters.end()) {
        const Tokens& with = given[static_cast<std::size_t>(parameter - macro.parameters.begin())];
        if (!count(with.size() + 1, name)) return false;
        for (const Token& one : with) messages_.add_expansion(one.span, token.span);
        filled.insert(filled.end(), with.begin(), with.end());
      } else {
        if (!count(1, name)) return false;
        filled.push_back(token);
        if (!is_of_script && is_of_use(token)) filled.back().text += fmt::format("_{}", uses_);
      }
    }
    return filled.empty() || expand(filled, out, depth + 1);
  }

  // %( a op b && ... %? tokens %: tokens %); leaves `at` at the %), or at the end of the comparison
  // that is wrong, behind which both parts stay.
  bool condition(const Tokens& in, std::size_t& at, Tokens& out, std::size_t depth) {
    const Token& open = in[at];
    bool holds = false;
    std::size_t then = at + 1;
    if (!evaluate(in, open, then, holds)) {
      out.push_back(error_);
      at = then;
      return true;
    }
    if (!get(in, then).is("%?")) return error("expected '%?' marker for conditional", open);
    End found;
    if (!find_end(in, then + 1, found)) return error("incomplete conditional at end of file", open);
    if (found.second != 0) return error("invalid conditional - duplicate '%:'", in[found.second]);
    const std::size_t split = found.otherwise == 0 ? found.end : found.otherwise;
    const std::size_t from = holds ? then + 1 : std::min(split + 1, found.end);
    const std::size_t to = holds ? split : found.end;
    const Tokens chosen(in.begin() + static_cast<std::ptrdiff_t>(from),
                        in.begin() + static_cast<std::ptrdiff_t>(to));
    at = found.end;
    return chosen.empty() || expand(chosen, out, depth + 1);
  }

  // || binds less than &&. Leaves `at` behind the condition, or at the end of what is wrong.
  bool evaluate(const Tokens& in, const Token& open, std::size_t& at, bool& holds) {
    bool all = true;
    holds = false;
    while (true) {
      bool one = false;
      if (get(in, at + 2).kind == TokenKind::kEnd) {
        at = in.size();
        return error("incomplete condition after '%('", open);
      }
      if (!compare(in[at], in[at + 1], in[at + 2], one)) {
        at += 2;
        return false;
      }
      at += 3;
      all = all && one;
      if (get(in, at).is("&&")) {
        ++at;
      } else if (get(in, at).is("||")) {
        holds = holds || all;
        all = true;
        ++at;
      } else {
        break;
      }
    }
    holds = holds || all;
    return true;
  }

  bool compare(const Token& left, const Token& op, const Token& right, bool& holds) {
    std::string a, b;
    if (!operand(left, a) || !fit(left, op, right) || !operand(right, b)) return false;
    int order = 0;
    if (left.kind == TokenKind::kNumber && right.kind == TokenKind::kNumber) {
      order = left.number < right.number ? -1 : left.number > right.number ? 1 : 0;
    } else if (left.is_name() && is_version(left.text)) {
      order = compare_versions(a, b);
    } else {
      order = a.compare(b);
    }
    // "*fc13*" against kernel_vr: == and != know wildcards.
    const bool is_equality = op.is("==") || op.is("!=");
    if (is_equality && b.find_first_of("*?[") != std::string::npos) order = matches(b, a) ? 0 : 1;
    const bool is_less = op.text[0] == '<', is_more = op.text[0] == '>';
    holds = op.is("!=") ? order != 0
                        : (order == 0 && op.text.back() == '=') || (order < 0 && is_less) ||
                              (order > 0 && is_more);
    return true;
  }

  // A word is compared with a text, and a number with a number; only versions and numbers and
  // texts of the script have an order.
  bool fit(const Token& left, const Token& op, const Token& right) {
    if (right.kind == TokenKind::kBroken) return error(right.text, right);
    if (left.is_name()) {
      if (left.text == "guru_mode") {
        if (right.kind != TokenKind::kNumber) return error("expected number", right);
      } else if (right.kind != TokenKind::kString && !left.text.starts_with("CONFIG_")) {
        return error("expected string literal", right);
      }
    } else if (right.kind != left.kind) {
      if (right.kind != TokenKind::kNumber && right.kind != TokenKind::kString) {
        return error(kNoCondition, left);
      }
      return error(left.kind == TokenKind::kNumber ? "expected number literal as right value"
                                                   : "expected string literal as right value",
                   right);
    }
    constexpr std::string_view kComparisons[] = {"==", "!=", "<", "<=", ">", ">="};
    if (std::none_of(std::begin(kComparisons), std::end(kComparisons),
                     [&](std::string_view one) { return op.is(one); })) {
      return error("expected comparison operator", op);
    }
    const bool has_order = !left.is_name() || is_version(left.text) || left.text == "guru_mode";
    return has_order || op.is("==") || op.is("!=") || error("expected '==' or '!='", op);
  }

  bool operand(const Token& token, std::string& value) {
    if (token.kind == TokenKind::kBroken) return error(token.text, token);
    if (token.kind == TokenKind::kNumber || token.kind == TokenKind::kString) {
      value = token.text;
      return true;
    }
    const std::optional<std::string> known = token.is_name() ? value_of_(token.text) : std::nullopt;
    if (!known && token.text.starts_with("CONFIG_")) {
      return error(
          "the configuration of this kernel is not known: there is neither /proc/config.gz nor "
          "its file in /boot",
          token);
    }
    if (!known) return error(kNoCondition, token);
    value = *known;
    return true;
  }

  const ConditionValue& value_of_;
  const Macros& library_;
  Messages& messages_;
  Macros macros_;  // of this file
  Token error_, end_;
  bool is_library_ = false;  // it is one of macros
  std::size_t uses_ = 0;     // of macros
  std::size_t made_ = 0;     // tokens, by macros
};

// "a" @name "b": texts that stand side by side when macros are expanded are one text.
std::vector<Token> glued(std::vector<Token> tokens) {
  std::vector<Token> out;
  for (Token& token : tokens) {
    if (token.kind == TokenKind::kString && !out.empty() && out.back().kind == token.kind) {
      out.back().text += token.text;
    } else {
      out.push_back(std::move(token));
    }
  }
  return out;
}

}  // namespace

std::vector<Token> preprocess(std::vector<Token> tokens, const ConditionValue& value_of,
                              const Macros& library, Messages& messages) {
  return glued(Preprocessor(value_of, library, messages).run(tokens));
}

bool read_macros(const std::vector<Token>& tokens, const ConditionValue& value_of, Macros& library,
                 Messages& messages) {
  return Preprocessor(value_of, library, messages).run_macros(tokens, library);
}

}  // namespace dt::stap
