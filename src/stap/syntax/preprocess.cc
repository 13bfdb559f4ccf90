// See preprocess.h.

#include "stap/syntax/preprocess.h"

#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "stap/syntax/foreign_words.h"

namespace dt::stap {
namespace {

// Words that begin with @ and are no macros.
constexpr std::string_view kAtOperators[] = {"@count",
                                             "@sum",
                                             "@min",
                                             "@max",
                                             "@avg",
                                             "@variance",
                                             "@hist_log",
                                             "@hist_linear",
                                             "@entry",
                                             "@cast",
                                             "@defined",
                                             "@var",
                                             "@perf",
                                             "@errno",
                                             "@const",
                                             "@enum",
                                             "@choose_defined",
                                             "@probewrite",
                                             "@kderef",
                                             "@uderef",
                                             "@kregister",
                                             "@uregister",
                                             "@enumname"};

constexpr std::size_t kMostExpansions = 100;
constexpr std::size_t kMostTokens = 1000000;

bool is_operator(std::string_view name) {
  return std::find(std::begin(kAtOperators), std::end(kAtOperators), name) !=
         std::end(kAtOperators);
}

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
    std::vector<Token> out;
    if (!expand(tokens, out, 0)) return {};
    return out;
  }

  // What it has defined, which must be all there is but its end.
  bool run_macros(const std::vector<Token>& tokens, Macros& out) {
    is_library_ = true;
    std::vector<Token> rest;
    if (!expand(tokens, rest, 0)) return false;
    if (!rest.empty() && rest.front().kind != TokenKind::kEnd) {
      return error("expected '@define': a file of macros has nothing else", rest.front());
    }
    out.insert(macros_.begin(), macros_.end());
    return true;
  }

 private:
  using Tokens = std::vector<Token>;

  bool error(std::string_view text, const Token& at, std::string_view hint = {}) {
    messages_.parse_error(text, at, hint);
    return false;
  }

  // The position of the %) that belongs to the %( before `at`; also finds %? and %: of its level.
  bool find_end(const Tokens& in, std::size_t at, std::size_t& then, std::size_t& otherwise,
                std::size_t& end) {
    std::size_t depth = 0;
    then = otherwise = 0;
    for (std::size_t i = at; i < in.size(); ++i) {
      if (in[i].is("%(")) ++depth;
      if (depth == 0 && in[i].is("%?") && then == 0) then = i;
      if (depth == 0 && in[i].is("%:") && otherwise == 0) otherwise = i;
      if (in[i].is("%)") && depth-- == 0) {
        end = i;
        return true;
      }
    }
    return error("incomplete conditional or macro - missing '%)'", in[at - 1]);
  }

  bool expand(const Tokens& in, Tokens& out, std::size_t depth) {
    if (depth > kMostExpansions) return error("macros are nested too deeply", in.front());
    for (std::size_t at = 0; at < in.size(); ++at) {
      if (out.size() > kMostTokens) return error("macros make too many tokens", in[at]);
      const Token& token = in[at];
      if (token.is("@define")) {
        if (!define(in, at)) return false;
      } else if (token.is("%(")) {
        if (!condition(in, at, out, depth)) return false;
      } else if (token.kind == TokenKind::kMissing) {
        return error(token.text, token);
      } else if (token.is_name() && token.text[0] == '@' &&
                 (find(token.text) != nullptr || !is_operator(token.text))) {
        if (!use(in, at, out, depth)) return false;
      } else {
        out.push_back(token);
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

  // @define name(a, b) %( ... %); leaves `at` at its last token.
  bool define(const Tokens& in, std::size_t& at) {
    const Token& name = in[++at];
    if (!name.is_name()) return error("expected identifier", name);
    Macro macro;
    if (in[at + 1].is("(")) {
      macro.has_parentheses = true;
      at += 2;
      while (!in[at].is(")")) {
        if (!in[at].is_name()) return error("expected identifier", in[at]);
        macro.parameters.push_back(in[at++].text);
        if (in[at].is(",")) ++at;
      }
    }
    if (!in[++at].is("%(")) return error("expected '%('", in[at]);
    std::size_t then = 0, otherwise = 0, end = 0;
    if (!find_end(in, at + 1, then, otherwise, end)) return false;
    macro.body.assign(in.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                      in.begin() + static_cast<std::ptrdiff_t>(end));
    const bool is_twice = is_library_ && library_.contains("@" + name.text);
    if (is_twice || !macros_.emplace("@" + name.text, std::move(macro)).second) {
      return error(fmt::format("attempt to redefine macro '@{}' in the same file", name.text),
                   name);
    }
    at = end;
    return true;
  }

  // The arguments of a macro; leaves `at` at the ')'.
  bool arguments(const Tokens& in, std::size_t& at, std::vector<Tokens>& out) {
    const Token& open = in[at];
    std::size_t depth = 0;
    out.emplace_back();
    for (++at; at < in.size() && in[at].kind != TokenKind::kEnd; ++at) {
      const Token& token = in[at];
      if (token.is("(") || token.is("[") || token.is("{")) ++depth;
      if (depth == 0 && token.is(")")) return true;
      if (token.is(")") || token.is("]") || token.is("}")) --depth;
      if (depth == 0 && token.is(",")) {
        out.emplace_back();
      } else {
        out.back().push_back(token);
      }
    }
    return error("could not find end of macro invocation", open);
  }

  bool use(const Tokens& in, std::size_t& at, Tokens& out, std::size_t depth) {
    const Token& name = in[at];
    const Macro* const found = find(name.text);
    // What is unknown may be an operator that the parser names in its message.
    if (found == nullptr) {
      return error(fmt::format("unknown operator {}", name.text), name,
                   hint_of_aggregation(in, at));
    }
    const Macro macro = *found;
    const bool is_of_script = macros_.contains(name.text);
    std::vector<Tokens> given;
    if (macro.has_parentheses) {
      if (!in[at + 1].is("(")) return error("expected '('", in[at + 1]);
      if (!arguments(in, ++at, given)) return false;
      if (macro.parameters.empty() && given.size() == 1 && given[0].empty()) given.clear();
      if (given.size() != macro.parameters.size()) {
        const bool is_few = given.size() < macro.parameters.size();
        return error(fmt::format("too {} parameters for macro '{}' (expected {})",
                                 is_few ? "few" : "many", name.text, macro.parameters.size()),
                     is_few ? in[at] : name);
      }
    }
    Tokens filled;
    ++uses_;
    for (const Token& token : macro.body) {
      const auto parameter = std::find_if(
          macro.parameters.begin(), macro.parameters.end(),
          [&](const std::string& one) { return token.is_name() && token.text == "@" + one; });
      if (parameter != macro.parameters.end()) {
        const Tokens& with = given[static_cast<std::size_t>(parameter - macro.parameters.begin())];
        filled.insert(filled.end(), with.begin(), with.end());
      } else {
        filled.push_back(token);
        if (!is_of_script && is_of_use(token)) filled.back().text += fmt::format("_{}", uses_);
      }
    }
    return filled.empty() || expand(filled, out, depth + 1);
  }

  // %( a op b && ... %? tokens %: tokens %); leaves `at` at the %).
  bool condition(const Tokens& in, std::size_t& at, Tokens& out, std::size_t depth) {
    std::size_t then = 0, otherwise = 0, end = 0;
    if (!find_end(in, at + 1, then, otherwise, end)) return false;
    if (then == 0) return error("incomplete condition: no '%?'", in[at]);
    bool holds = false;
    if (!evaluate(in, at + 1, then, holds)) return false;
    const std::size_t split = otherwise == 0 ? end : otherwise;
    const std::size_t from = holds ? then + 1 : std::min(split + 1, end);
    const std::size_t to = holds ? split : end;
    const Tokens chosen(in.begin() + static_cast<std::ptrdiff_t>(from),
                        in.begin() + static_cast<std::ptrdiff_t>(to));
    at = end;
    return chosen.empty() || expand(chosen, out, depth + 1);
  }

  // || binds less than &&.
  bool evaluate(const Tokens& in, std::size_t at, std::size_t end, bool& holds) {
    bool all = true;
    holds = false;
    while (true) {
      bool one = false;
      if (!compare(in, at, one)) return false;
      all = all && one;
      if (at < end && in[at].is("&&")) {
        ++at;
      } else if (at < end && in[at].is("||")) {
        holds = holds || all;
        all = true;
        ++at;
      } else {
        break;
      }
    }
    holds = holds || all;
    return at == end || error("expected '%?'", in[at]);
  }

  bool compare(const Tokens& in, std::size_t& at, bool& holds) {
    const Token &left = in[at], &op = in[at + 1], &right = in[at + 2];
    std::string a, b;
    bool a_is_number = false, b_is_number = false;
    if (!operand(left, a, a_is_number) || !operand(right, b, b_is_number)) return false;
    if (!fit(left, op, right)) return false;
    int order = 0;
    if (a_is_number && b_is_number) {
      order = left.number < right.number ? -1 : left.number > right.number ? 1 : 0;
    } else if (left.is_name() && is_version(left.text)) {
      order = compare_versions(a, b);
    } else {
      order = a.compare(b);
    }
    // "*fc13*" against kernel_vr: == and != know wildcards.
    const bool is_equality = op.is("==") || op.is("!=");
    if (is_equality && b.find_first_of("*?[") != std::string::npos) order = matches(b, a) ? 0 : 1;
    at += 3;
    if (op.is("=="))
      holds = order == 0;
    else if (op.is("!="))
      holds = order != 0;
    else if (op.is("<"))
      holds = order < 0;
    else if (op.is("<="))
      holds = order <= 0;
    else if (op.is(">"))
      holds = order > 0;
    else if (op.is(">="))
      holds = order >= 0;
    else
      return error("expected comparison operator", op);
    return true;
  }

  // A word is compared with a text, and a number with a number; only versions and numbers and
  // texts of the script have an order.
  bool fit(const Token& left, const Token& op, const Token& right) {
    const bool is_equality = op.is("==") || op.is("!=");
    if (!left.is_name()) {
      return left.kind == right.kind || right.is_name() ||
             error(left.kind == TokenKind::kNumber ? "expected number literal"
                                                   : "expected string literal",
                   right);
    }
    if (left.text == "guru_mode") {
      if (right.kind != TokenKind::kNumber) return error("expected number", right);
    } else if (right.kind == TokenKind::kNumber) {
      return error(fmt::format("expected string literal: \"{}\"", right.text), right);
    }
    return is_equality || is_version(left.text) || left.text == "guru_mode" ||
           error("expected '==' or '!='", op);
  }

  bool operand(const Token& token, std::string& value, bool& is_number) {
    if (token.kind == TokenKind::kMissing) return error(token.text, token);
    is_number = token.kind == TokenKind::kNumber;
    if (is_number || token.kind == TokenKind::kString) {
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
    if (!known) {
      return error(
          "expected 'arch', 'kernel_v', 'kernel_vr', 'systemtap_v', 'guru_mode', "
          "'runtime', CONFIG_..., a number or a string",
          token);
    }
    value = *known;
    return true;
  }

  const ConditionValue& value_of_;
  const Macros& library_;
  Messages& messages_;
  Macros macros_;            // of this file
  bool is_library_ = false;  // it is one of macros
  std::size_t uses_ = 0;     // of macros
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
