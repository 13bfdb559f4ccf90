#pragma once
// Expressions, over the variables of the script and what the firing has recorded.

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "stap/home/calls.h"
#include "stap/home/execution.h"
#include "stap/home/matches.h"
#include "stap/home/recorded_values.h"
#include "stap/home/variables.h"

namespace dt::stap {

class Expressions final : public Evaluator {
 public:
  // Calls a function of the script; false after an error.
  using CallFunction = std::function<bool(Expr& expr, Value& out)>;
  // `run` must outlive this.
  Expressions(Execution& run, CallFunction call_function)
      : run_(run),
        call_function_(std::move(call_function)),
        recorded_(run, *this),
        calls_(run, *this, matches_) {}
  Expressions(const Expressions&) = delete;
  Expressions& operator=(const Expressions&) = delete;

  // All that are bool are false after an error.
  bool evaluate(Expr& expr, Value& out) override;
  bool is_true(Expr& expr, bool& holds);
  Element* element(Expr& expr, bool makes) override;
  // Null after an error, or, without `makes`, where there are none.
  Statistics* statistics_of(Expr& expr, bool makes);
  // The keys of an element; of a slice, those that it names.
  bool keys(Expr& expr, std::vector<Value>& out);
  // Whether a slice with these keys has the element.
  static bool matches(const Expr& expr, const std::vector<Value>& keys, const Element& element);
  BuiltinCalls& calls() { return calls_; }

 private:
  bool compute_value(Expr& expr, Value& out);
  bool name(Expr& expr, Value& out);
  bool call(Expr& expr, Value& out);
  bool unary(Expr& expr, Value& out);
  bool binary(Expr& expr, Value& out);
  bool arithmetic(const Expr& expr, std::string_view op, std::int64_t a, std::int64_t b,
                  std::int64_t& out);
  bool is_added(const Expr& expr) const;
  bool increment(Expr& expr, Value& out);
  bool assignment(Expr& expr, Value& out);
  bool membership(Expr& expr, Value& out);
  bool statistic(Expr& expr, Value& out);
  bool bucket(Expr& expr, Value& out);
  Value* place_of(Expr& expr);

  Execution& run_;
  CallFunction call_function_;
  Matches matches_;
  RecordedValues recorded_;
  BuiltinCalls calls_;
  std::size_t depth_ = 0;  // of what is evaluated
};

}  // namespace dt::stap
