#pragma once
// Machine: runs the handlers of a script at home, over its tree.

#include <cstdint>
#include <string>
#include <vector>

#include "stap/home/address_names.h"
#include "stap/home/execution.h"
#include "stap/home/expressions.h"
#include "stap/home/firing.h"
#include "stap/home/variables.h"
#include "stap/meaning/program.h"

namespace dt::stap {

class Machine {
 public:
  Machine(Program& program, Surroundings surroundings);

  // The value that a handler of a file or of the input is given, and which it may change; and the
  // process that reads or writes the file.
  struct Given {
    Value value;
    const Firing* caller = nullptr;
  };

  // Runs a handler: one of an event with its firing; one of the session (a timer, a file, ...) with
  // null. False if it has failed: error() says why.
  bool run(Handler& handler, const Firing* firing, Given* given = nullptr);
  const std::string& error() const { return run_.error; }
  std::string overflow(const Symbol& array, Span place) const {
    return run_.overflow(array, place);
  }

  // A local variable of the handler that ran last.
  const Value& last_local(std::size_t slot) const { return run_.frames.front()[slot]; }
  // The commands of system() in the handler that ran last; they are to be run when it has ended.
  std::vector<std::string> take_commands() { return expressions_.calls().take_commands(); }
  bool has_exited() const { return run_.has_exited; }
  NotedStacks& stacks() { return expressions_.calls().stacks(); }
  Global& global(const Symbol& symbol) { return run_.global(symbol); }

 private:
  enum class Flow : std::uint8_t { kNormal, kBreak, kContinue, kNext, kReturn, kAbort, kFail };

  Flow statement(Stmt& stmt);
  Flow simple(Stmt& stmt);
  Flow loop(Stmt& stmt);
  Flow foreach_array(Stmt& stmt);
  Flow foreach_histogram(Stmt& stmt);
  Flow one_turn(Stmt& stmt, bool& goes_on);
  Flow try_statement(Stmt& stmt);
  Flow delete_statement(Stmt& stmt);
  bool slice(Stmt& stmt, std::vector<const Element*>& out);
  void sort(const Stmt& stmt, std::vector<const Element*>& all) const;
  bool limit(Stmt& stmt, std::size_t& most);
  bool call_function(Expr& expr, Value& out);

  Execution run_;
  Expressions expressions_;
  Value result_;  // of the function that returns
  std::int64_t actions_ = 0, most_actions_ = 0;
};

}  // namespace dt::stap
