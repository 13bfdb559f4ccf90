#pragma once
// print(), printf(), sprint() and their like.

#include <string>
#include <vector>

#include "front/outcome.h"
#include "stap/home/execution.h"
#include "stap/home/speculations.h"
#include "stap/meaning/functions.h"

namespace dt::stap {

// A text as it leaves the script: control characters are kept only if the script has written them.
std::string for_output(const Value& value);

class Printing {
 public:
  // All references must outlive this.
  Printing(Execution& run, Evaluator& expressions, Speculations& speculations)
      : run_(run), expressions_(expressions), speculations_(speculations) {}

  // A function that prints, or that gives what it would print. False after an error.
  bool print(Expr& expr, Fn fn, Value& out);

 private:
  struct Printed {
    std::string text;
    bool is_own = true;     // as Value
    bool is_shown = false;  // it goes to the output
    std::vector<front::OutcomeHistogram> histograms = {};
  };
  bool formatted(Expr& expr, Printed& out);
  bool printed(Expr& expr, Printed& out);
  bool print_histogram(Expr& expr, Printed& out);

  Execution& run_;
  Evaluator& expressions_;
  Speculations& speculations_;
};

}  // namespace dt::stap
