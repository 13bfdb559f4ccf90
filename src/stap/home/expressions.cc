// See expressions.h. Arithmetic is of 64 bits and wraps, so it is done without signs.

#include "stap/home/expressions.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "stap/home/histogram.h"

namespace dt::stap {
namespace {

constexpr std::uint64_t kShiftMask = 63;

std::int64_t wrapped(std::uint64_t value) { return static_cast<std::int64_t>(value); }

// The operator of an assignment: += is +.
std::string_view operator_of(std::string_view assignment) {
  return assignment.substr(0, assignment.size() - 1);
}

bool compares(std::string_view op, int order, std::int64_t& out) {
  if (op == "==")
    out = order == 0;
  else if (op == "!=")
    out = order != 0;
  else if (op == "<")
    out = order < 0;
  else if (op == ">")
    out = order > 0;
  else if (op == "<=")
    out = order <= 0;
  else if (op == ">=")
    out = order >= 0;
  else
    return false;
  return true;
}

}  // namespace

// The stack of this process is as long as the deepest expression and call.
bool Expressions::evaluate(Expr& expr, Value& out) {
  constexpr std::size_t kMostDepth = 8000;
  if (depth_ >= kMostDepth) return run_.fail("MAXNESTING exceeded", expr.place);
  ++depth_;
  out.is_own = false;
  const bool is_good = compute_value(expr, out);
  --depth_;
  return is_good;
}

bool Expressions::compute_value(Expr& expr, Value& out) {
  switch (expr.kind) {
    case ExprKind::kNumber:
      out.number = expr.number;
      return true;
    case ExprKind::kString:
      out.text = until_nul(expr.text);
      out.is_own = true;
      return true;
    case ExprKind::kName:
    case ExprKind::kIndex:
      return name(expr, out);
    case ExprKind::kTarget:
      return expr.access != nullptr ? recorded_.access(expr, out) : recorded_.leaf(expr, out);
    case ExprKind::kCall:
      return call(expr, out);
    case ExprKind::kUnary:
      return unary(expr, out);
    case ExprKind::kIncrement:
      return increment(expr, out);
    case ExprKind::kBinary:
      return binary(expr, out);
    case ExprKind::kTernary: {
      bool holds = false;
      if (!is_true(*expr.kids[0], holds)) return false;
      return evaluate(*expr.kids[holds ? 1 : 2], out);
    }
    case ExprKind::kAssign:
      return assignment(expr, out);
    case ExprKind::kIn:
      return membership(expr, out);
    case ExprKind::kStatistic:
      return statistic(expr, out);
    case ExprKind::kBucket:
      return bucket(expr, out);
    case ExprKind::kAtOperator:
    case ExprKind::kMember:
      return recorded_.access(expr, out);
    case ExprKind::kEmbedded:
      break;
  }
  return run_.fail(fmt::format("{} cannot be computed", expr.text), expr.place);
}

bool Expressions::is_true(Expr& expr, bool& holds) {
  Value value;
  if (!evaluate(expr, value)) return false;
  holds = value.number != 0;
  return true;
}

bool Expressions::call(Expr& expr, Value& out) {
  if (expr.access != nullptr) return recorded_.access(expr, out);
  if (expr.leaf >= 0) return recorded_.leaf(expr, out);
  return expr.function != nullptr ? call_function_(expr, out) : calls_.call(expr, out);
}

bool Expressions::name(Expr& expr, Value& out) {
  if (expr.kind == ExprKind::kIndex) {
    const Element* const found = element(expr, false);
    if (found != nullptr) out = found->value;
    return run_.error.empty();
  }
  if (run_.firing != nullptr && !run_.firing->faults.empty() && run_.frames.size() == 1) {
    for (std::size_t i = 0; i < run_.firing->faults.size(); ++i) {
      if (run_.handler->provided[i].symbol != expr.symbol || run_.firing->faults[i].empty())
        continue;
      run_.error = run_.firing->faults[i];
      return false;
    }
  }
  out = run_.scalar(*expr.symbol);
  return true;
}

bool Expressions::keys(Expr& expr, std::vector<Value>& out) {
  out.resize(expr.kids.size());
  for (std::size_t i = 0; i < expr.kids.size(); ++i) {
    if (expr.kids[i] != nullptr && !evaluate(*expr.kids[i], out[i])) return false;
  }
  return true;
}

Element* Expressions::element(Expr& expr, bool makes) {
  std::vector<Value> values;
  if (!keys(expr, values)) return nullptr;
  Array& array = run_.global(*expr.symbol).array;
  const std::string key = Array::key_of(values, expr.symbol->keys);
  if (!makes) return array.find(key);
  const std::int64_t most = run_.program.limits.most_elements(*expr.symbol);
  Element* const made =
      array.make(key, std::move(values), static_cast<std::size_t>(most), expr.symbol->wraps);
  if (made == nullptr) run_.error = run_.overflow(*expr.symbol, expr.place);
  return made;
}

Value* Expressions::place_of(Expr& expr) {
  if (expr.kind == ExprKind::kIndex) {
    Element* const made = element(expr, true);
    return made != nullptr ? &made->value : nullptr;
  }
  return &run_.scalar(*expr.symbol);
}

Statistics* Expressions::statistics_of(Expr& expr, bool makes) {
  if (expr.kind != ExprKind::kIndex) return &run_.global(*expr.symbol).statistics;
  Element* const found = element(expr, makes);
  return found != nullptr ? &found->statistics : nullptr;
}

bool Expressions::unary(Expr& expr, Value& out) {
  Value value;
  if (!evaluate(*expr.kids[0], value)) return false;
  const auto bits = static_cast<std::uint64_t>(value.number);
  out.number = expr.text == "-"   ? wrapped(0 - bits)
               : expr.text == "~" ? wrapped(~bits)
               : expr.text == "!" ? (value.number == 0 ? 1 : 0)
                                  : value.number;
  return true;
}

bool Expressions::binary(Expr& expr, Value& out) {
  Value left, right;
  if (!evaluate(*expr.kids[0], left)) return false;
  if (expr.text == "&&" || expr.text == "||") {
    const bool is_decided = (left.number != 0) == (expr.text == "||");
    if (is_decided) {
      out.number = left.number != 0 ? 1 : 0;
      return true;
    }
    if (!evaluate(*expr.kids[1], right)) return false;
    out.number = right.number != 0 ? 1 : 0;
    return true;
  }
  if (!evaluate(*expr.kids[1], right)) return false;
  if (expr.text == "=~" || expr.text == "!~") {
    out = {};
    out.number = matches_.match(expr, left.text) == (expr.text == "=~") ? 1 : 0;
    return true;
  }
  if (expr.text == ".") {
    out.is_own = left.has_only_own() && right.has_only_own();
    out.text = std::move(left.text) + right.text;
    run_.cut(out.text);
    return true;
  }
  const int order = expr.kids[0]->type == Type::kString ? left.text.compare(right.text)
                                                        : (left.number < right.number   ? -1
                                                           : left.number > right.number ? 1
                                                                                        : 0);
  if (compares(expr.text, order, out.number)) return true;
  return arithmetic(expr, expr.text, left.number, right.number, out.number);
}

bool Expressions::arithmetic(const Expr& expr, std::string_view op, std::int64_t a, std::int64_t b,
                             std::int64_t& out) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  if (op == "/" || op == "%") {
    if (b == 0) return run_.fail("division by 0", expr.place);
    const bool overflows = a == std::numeric_limits<std::int64_t>::min() && b == -1;
    out = op == "/" ? (overflows ? a : a / b) : (overflows ? 0 : a % b);
    return true;
  }
  out = op == "+"     ? wrapped(x + y)
        : op == "-"   ? wrapped(x - y)
        : op == "*"   ? wrapped(x * y)
        : op == "&"   ? wrapped(x & y)
        : op == "|"   ? wrapped(x | y)
        : op == "^"   ? wrapped(x ^ y)
        : op == "<<"  ? wrapped(x << (y & kShiftMask))
        : op == ">>>" ? wrapped(x >> (y & kShiftMask))
                      : a >> (y & kShiftMask);
  return true;
}

bool Expressions::is_added(const Expr& expr) const {
  return run_.firing != nullptr && expr.addition >= 0 && expr.addition < run_.firing->additions;
}

bool Expressions::increment(Expr& expr, Value& out) {
  if (is_added(expr)) return true;
  Value* const place = place_of(*expr.kids[0]);
  if (place == nullptr) return false;
  const std::int64_t before = place->number;
  const auto bits = static_cast<std::uint64_t>(before);
  place->number = wrapped(expr.text == "++" ? bits + 1 : bits - 1);
  out.number = expr.is_prefix ? place->number : before;
  return true;
}

bool Expressions::assignment(Expr& expr, Value& out) {
  if (is_added(expr)) return true;
  Expr& left = *expr.kids[0];
  // What is computed may change arrays: the place is looked for afterwards.
  if (!evaluate(*expr.kids[1], out)) return false;
  if (expr.text == "<<<") {
    Statistics* const statistics = statistics_of(left, true);
    if (statistics == nullptr) return false;
    statistics->bounds = left.symbol->histogram;
    statistics->add(out.number);
    return true;
  }
  Value* const place = place_of(left);
  if (place == nullptr) return false;
  const bool is_of_file = left.symbol != nullptr && left.symbol == run_.handler->given;
  const std::int64_t most = is_of_file ? run_.handler->file.most : 0;
  if (expr.text == "=") {
    run_.cut(out.text, most);
    *place = out;
    return true;
  }
  if (expr.text == ".=") {
    place->is_own = place->has_only_own() && out.has_only_own();
    place->text += out.text;
    run_.cut(place->text, most);
    out.text = place->text;
    out.is_own = place->is_own;
    return true;
  }
  std::int64_t value = 0;
  if (!arithmetic(expr, operator_of(expr.text), place->number, out.number, value)) return false;
  place->number = out.number = value;
  return true;
}

bool Expressions::matches(const Expr& expr, const std::vector<Value>& wanted,
                          const Element& element) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (expr.kids[i] != nullptr &&
        (wanted[i].number != element.keys[i].number || wanted[i].text != element.keys[i].text)) {
      return false;
    }
  }
  return true;
}

bool Expressions::membership(Expr& expr, Value& out) {
  std::vector<Value> wanted;
  if (!keys(expr, wanted)) return false;
  Array& array = run_.global(*expr.symbol).array;
  const bool is_slice = std::any_of(expr.kids.begin(), expr.kids.end(),
                                    [](const ExprPtr& kid) { return kid == nullptr; });
  if (!is_slice) {
    out.number = array.find(Array::key_of(wanted, expr.symbol->keys)) != nullptr ? 1 : 0;
    return true;
  }
  out.number = 0;
  for (const Element& one : array.elements()) {
    if (matches(expr, wanted, one)) out.number = 1;
  }
  return true;
}

bool Expressions::statistic(Expr& expr, Value& out) {
  const Statistics* const found = statistics_of(*expr.kids[0], false);
  if (!run_.error.empty()) return false;
  static const Statistics kNothing;
  const Statistics& of = found != nullptr ? *found : kNothing;
  if (expr.text == "@count") {
    out.number = of.count;
  } else if (expr.text == "@sum") {
    out.number = of.sum;
  } else if (of.count == 0) {
    return run_.fail("empty aggregate", expr.place);
  } else if (expr.text == "@min") {
    out.number = of.min;
  } else if (expr.text == "@max") {
    out.number = of.max;
  } else if (expr.text == "@avg") {
    out.number = of.average();
  } else {
    out.number = of.variance();
  }
  return true;
}

bool Expressions::bucket(Expr& expr, Value& out) {
  Value index;
  if (!evaluate(*expr.kids[1], index)) return false;
  const Expr& histogram = *expr.kids[0];
  const Statistics* const found = statistics_of(*histogram.kids[0], false);
  if (!run_.error.empty()) return false;
  const bool is_linear = histogram.text == "@hist_linear";
  if (found == nullptr || (is_linear && found->bounds.empty())) {
    return run_.fail("empty aggregate", expr.place);
  }
  if (index.number < 0 || index.number >= buckets_of(*found, is_linear)) {
    return run_.fail("histogram index out of range", expr.place);
  }
  out.number = bucket_count(*found, is_linear, index.number);
  return true;
}

}  // namespace dt::stap
