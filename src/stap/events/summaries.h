#pragma once
// $$vars, $$parms, $$locals and $$return where what the probe has is known: calls of sprintf() over
// the variables, such as sprintf("a=%s b=%s", $a$, $b$).

#include <string>
#include <vector>

#include "front/world.h"
#include "stap/events/probes.h"
#include "stap/meaning/program.h"

namespace dt::stap {

// Where a handler may be: null: in a function.
struct Here {
  const Event* event = nullptr;
  const ProbeInfo* probe = nullptr;
};

// Whether the point is within a program, and not within the kernel.
bool is_of_program(const Event& event);

// An expression that replaces `at`, and has its place in the text.
ExprPtr make_in_place(const Expr& at, ExprKind kind, std::string text);

class Summaries {
 public:
  // The references must outlive it.
  Summaries(EventProbes& probes, const front::World& world) : probes_(probes), world_(world) {}

  // A part of a summary: how it is shown, and of what; empty: nothing is read.
  struct Part {
    std::string name, format, target;
    bool is_pretty = false, is_text = false;
  };

  // At a statement, $$vars and similar are made in this way without $, too.
  static bool is_summary(const Expr& expr, bool is_at_statement);
  // Whether it is one that show() can make here.
  bool is_shown(const Expr& expr, const Here& here) const;
  // Whether there are variables; where a function begins, nothing is in them yet.
  bool knows_locals(const Here& here) const;
  std::vector<Part> parts(const Expr& expr, const Here& here) const;
  std::string format(const Expr& expr, const Here& here) const;
  void show(ExprPtr& expr, const Here& here) const;

  // $$return.
  static bool is_of_result(const Expr& expr);
  // What $$return of a function is made of; empty: what it is without knowing the function.
  static std::string result_format(const Expr& expr, const Here& here);
  static void show_result(ExprPtr& expr, const std::string& format);

 private:
  std::vector<Part> variables(const Expr& expr, const Here& here) const;
  std::vector<ProbeInfo::Argument> parameters(const Here& here) const;
  bool has_type(const ProbeInfo::Argument& argument) const;

  EventProbes& probes_;
  const front::World& world_;
};

}  // namespace dt::stap
