#pragma once
// Values of the probe: $x, $$parms, pointer_arg(1), and the text that one of them leads to.

#include <functional>
#include <string_view>

#include "stap/meaning/program.h"

namespace dt::stap {

class Targets {
 public:
  using Error = std::function<void(std::string_view text, Span span, std::string_view hint)>;
  explicit Targets(Error error) : error_(std::move(error)) {}

  // The handler whose names come from now on; nullptr: those of a function.
  void enter(Handler* handler) { handler_ = handler; }
  bool is_in_event() const { return handler_ != nullptr && !handler_->events.empty(); }

  // Gives $x, with the members and indices behind it, its leaf. If these are not all names and
  // numbers, gives the expression an Access instead, whose indices are still to be resolved.
  void target(Expr& expr);
  // pointer_arg(N), int_arg(N), ..., returnval() and register("name").
  void argument_function(Expr& expr);
  // user_string($x) and kernel_string($x), where $x has its leaf.
  void text(Expr& call, const Expr& address);

 private:
  void error(std::string_view text, Span span, std::string_view hint = {}) const {
    error_(text, span, hint);
  }
  int leaf(Leaf wanted);
  bool in_event(std::string_view what, Span span, std::string_view hint = {}) const;
  bool is_at_statement() const;
  bool summary(const Expr& expr, Leaf& wanted) const;
  bool register_of(const Expr& expr, Leaf& wanted) const;

  Error error_;
  Handler* handler_ = nullptr;
};

}  // namespace dt::stap
