#pragma once
// Calls of the functions that the language has by itself (meaning/functions.h).

#include <string>
#include <utility>
#include <vector>

#include "stap/home/address_names.h"
#include "stap/home/cycles.h"
#include "stap/home/execution.h"
#include "stap/home/firing_context.h"
#include "stap/home/matches.h"
#include "stap/home/printing.h"
#include "stap/home/speculations.h"
#include "stap/home/strings.h"
#include "stap/meaning/functions.h"

namespace dt::stap {

class BuiltinCalls {
 public:
  // All references must outlive this.
  BuiltinCalls(Execution& run, Evaluator& expressions, const Matches& matches);

  // A handler begins.
  void enter() { speculations_.enter(); }
  // False after an error.
  bool call(Expr& expr, Value& out);
  // The commands of system() since the last call.
  std::vector<std::string> take_commands() { return std::exchange(commands_, {}); }
  NotedStacks& stacks() { return stacks_; }

 private:
  bool effect(Fn fn, const std::vector<Value>& arguments);
  bool symbols(Expr& expr, Fn fn, const std::vector<Value>& arguments, Value& out);
  bool matched(Expr& expr, std::int64_t number, Value& out);
  bool computed(Expr& expr, Fn fn, std::vector<Value>& arguments, Value& out);
  bool of_run(Fn fn, const std::vector<Value>& arguments, Value& out);

  Execution& run_;
  Evaluator& expressions_;
  const Matches& matches_;
  FiringContext context_;
  AddressNames names_;
  NotedStacks stacks_;
  Speculations speculations_;
  Printing printing_;
  Tokens tokens_;
  Cycles cycles_;
  std::vector<std::string> commands_;
};

}  // namespace dt::stap
