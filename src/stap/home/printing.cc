// See printing.h.

#include "stap/home/printing.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "stap/home/histogram.h"
#include "stap/syntax/format.h"
#include "support/shown.h"

namespace dt::stap {

bool Printing::print_histogram(Expr& expr, Printed& out) {
  Expr& of = *expr.kids[0];
  const Element* const at = of.kind == ExprKind::kIndex ? expressions_.element(of, false) : nullptr;
  if (!run_.error.empty()) return false;
  const Statistics* found = at != nullptr ? &at->statistics : nullptr;
  if (of.kind != ExprKind::kIndex) found = &run_.global(*of.symbol).statistics;
  const bool is_linear = expr.text == "@hist_linear";
  if (found == nullptr || found->count == 0) return run_.fail("empty aggregate", expr.place);
  out.text += draw(*found, is_linear, run_.program.limits.histogram_elision);
  if (!out.is_shown || !run_.surroundings.histogram) return true;
  front::OutcomeHistogram& made = out.histograms.emplace_back(histogram_of(*found, is_linear));
  made.name = of.symbol->name;
  for (std::size_t i = 0; at != nullptr && i < at->keys.size(); ++i) {
    const Value& key = at->keys[i];
    made.keys.push_back({of.symbol->keys[i] == Type::kString, key.number, key.text});
  }
  return true;
}

std::string for_output(const Value& value) {
  return value.is_own ? value.text : support::shown_text(value.text);
}

// What is not printed yet (sprint) keeps the characters of its texts.
bool Printing::printed(Expr& expr, Printed& out) {
  if (expr.kind == ExprKind::kStatistic && expr.text.starts_with("@hist")) {
    return print_histogram(expr, out);
  }
  Value value;
  if (!expressions_.evaluate(expr, value)) return false;
  if (expr.type != Type::kString) {
    out.text += std::to_string(value.number);
    return true;
  }
  out.is_own = out.is_own && value.has_only_own();
  out.text += out.is_shown ? for_output(value) : value.text;
  return true;
}

bool Printing::formatted(Expr& expr, Printed& printed) {
  std::string& out = printed.text;
  std::string wrong;
  std::size_t next = 1;
  for (FormatPiece& piece : parse_format(expr.kids[0]->text, wrong)) {
    if (piece.conversion == '\0') {
      out += piece.literal;
      continue;
    }
    Value value;
    if (piece.width_is_argument) {
      if (!expressions_.evaluate(*expr.kids[next++], value)) return false;
      constexpr std::int64_t kMost = 4096;
      piece.minus = piece.minus || value.number < 0;
      piece.width = static_cast<int>(std::min(std::abs(value.number), kMost));
    }
    if (piece.precision_is_argument) {
      if (!expressions_.evaluate(*expr.kids[next++], value)) return false;
      piece.precision = static_cast<int>(value.number);
    }
    Value argument;
    if (!expressions_.evaluate(*expr.kids[next++], argument)) return false;
    if (piece.conversion == 's') {
      printed.is_own = printed.is_own && argument.has_only_own();
      append_text(out, piece, printed.is_shown ? for_output(argument) : argument.text);
    } else if (piece.takes_memory()) {
      append_memory(out, piece, argument.text);
    } else {
      append_number(out, piece, argument.number);
    }
  }
  return true;
}

bool Printing::print(Expr& expr, Fn fn, Value& out) {
  const bool is_text = info(fn).result == 's';
  Printed made{"", true, !is_text};
  std::string& text = made.text;
  switch (fn) {
    case Fn::printf:
    case Fn::sprintf:
      if (!formatted(expr, made)) return false;
      break;
    case Fn::printd:
    case Fn::printdln:
    case Fn::sprintd:
    case Fn::sprintdln:
      for (std::size_t i = 1; i < expr.kids.size(); ++i) {
        if (i > 1) text += expr.kids[0]->text;
        if (!printed(*expr.kids[i], made)) return false;
      }
      break;
    default:
      for (const ExprPtr& kid : expr.kids) {
        if (!printed(*kid, made)) return false;
      }
      break;
  }
  if (fn == Fn::println || fn == Fn::printdln || fn == Fn::sprintln || fn == Fn::sprintdln) {
    text += '\n';
  }
  if (is_text) {
    out.text = until_nul(text);
    out.is_own = made.is_own;
    run_.cut(out.text);
  } else {
    speculations_.write({std::move(text), std::move(made.histograms)});
  }
  return true;
}

}  // namespace dt::stap
