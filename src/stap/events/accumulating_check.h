#pragma once
// Whether a handler does only what the kernel can do for it.

#include <map>
#include <optional>
#include <set>
#include <string>

#include "stap/meaning/program.h"

namespace dt::stap {

// The global variable that a statement adds to: `s <<< x`, `n++`, `a[k] += x`; null: none.
const Symbol* added_by(const Expr& expr);

// What the function returns, if it does nothing else; null: it does.
const Expr* returned_by(const Function& function);

// Whether it is the name of the function of the probe: probefunc(), or `name` at system calls.
bool is_function_of_probe(const Expr& expr, const Handler& handler);

// The value of pp(), if it is the same text at all firings of the handler, as for a system call.
std::optional<std::string> known_point(const Expr& expr, const Handler& handler);

class AccumulatingCheck {
 public:
  AccumulatingCheck(const Program& program, const Handler& handler);

  // The first thing that the kernel cannot do; empty: there is none.
  const std::string& why() const { return why_; }
  // What it adds to, and where it does first.
  const std::map<const Symbol*, Span>& added() const { return added_; }

 private:
  bool refuse(std::string why);
  bool is_local(const Symbol* symbol) const;
  const Provided* provided(const Symbol* symbol) const;
  void handler();
  bool statement(const Stmt& stmt);
  bool expression_statement(const Expr& expr);
  bool addition(const Expr& expr);
  bool assignment(const Expr& expr);
  bool value(const Expr& expr);
  bool number(const Expr& expr);
  bool number_of_name(const Expr& expr);
  bool call(const Expr& expr);
  bool target(const Expr& expr);
  bool text(const Expr& expr);
  bool name_of_probe(const Expr& expr);
  bool script_function(const Expr& expr);

  const Program& program_;
  const Handler& handler_;
  std::string why_;
  std::map<const Symbol*, Span> added_;
  std::set<const Symbol*> texts_;     // local variables that have been given a string
  int depth_ = 0;                     // of conditions
  std::set<const Function*> active_;  // functions that are looked into
};

}  // namespace dt::stap
