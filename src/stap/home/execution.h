#pragma once
// Execution: the variables of a script, and what its handler that runs has come to. The units that
// run handlers share it:
//
//     machine.h                statements; calls of the script's functions
//       expressions.h          expressions and variables
//         calls.h              functions of the language
//           printing.h         what prints, and what speculations keep of it
//           address_names.h    stacks, and names of addresses
//         recorded_values.h    leaves and memory, as the firing has recorded them
//           recorded_memory.h
//         firing_context.h     pid(), execname() and their like

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "front/outcome.h"
#include "front/session.h"
#include "stap/home/firing.h"
#include "stap/home/variables.h"
#include "stap/meaning/program.h"

namespace dt::stap {

// What the handlers do besides computing.
struct Surroundings {
  std::function<void(std::string_view)> write;
  std::function<void(std::string_view)> warn;
  // Describes a place of the script: "identifier 'x' at script.stp:3:7".
  std::function<std::string(Span)> place;
  std::int64_t target = 0;
  // Names and source lines of addresses of the kernel, or of that process.
  std::function<std::optional<front::Session::Named>(std::uint64_t address)> kernel_name = {};
  std::function<std::optional<front::Session::Named>(std::int32_t pid, std::uint64_t address)>
      user_name = {};
  std::function<std::optional<front::Session::Line>(std::int32_t pid, std::uint64_t address,
                                                    bool is_return)>
      user_line = {};
  std::function<bool(std::uint64_t address, std::span<std::uint8_t> into)> read_kernel = {};
  std::function<std::uint64_t(std::int64_t pid)> task_of = {};  // 0: there is none
  std::function<std::uint64_t()> current_task = {};             // of this process
  // What is written next has this histogram.
  std::function<void(front::OutcomeHistogram)> histogram = {};
};

struct Execution {
  Execution(Program& of, Surroundings with);

  // Begins a handler; its local variables are 0 and empty.
  void begin(Handler& of, const Firing* by, const Firing* asked_by);

  // Sets the error, and is false.
  bool fail(std::string text, Span place);
  // The error if an array has no room for an element that is added at `place`.
  std::string overflow(const Symbol& array, Span place) const;
  // To the length of a string, or to that of a file.
  void cut(std::string& text, std::int64_t longest = 0) const;

  Global& global(const Symbol& symbol) { return globals[symbol.slot]; }
  Value& local(const Symbol& symbol) { return frames.back()[symbol.slot]; }
  Value& scalar(const Symbol& symbol) {
    return symbol.is_global ? global(symbol).value : local(symbol);
  }

  Program& program;
  Surroundings surroundings;
  std::vector<Global> globals;
  std::vector<std::vector<Value>> frames;  // local variables: of the handler, of functions
  Handler* handler = nullptr;
  const Firing* firing = nullptr;  // null: of a handler of the session
  const Firing* caller = nullptr;  // of a handler of a file: who reads or writes it
  std::string error;               // empty: none
  bool is_read_fault = false;      // the error is that memory cannot be read
  bool has_exited = false;
  bool is_aborted = false;
};

// Expressions, for the functions that they call.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // False after an error.
  virtual bool evaluate(Expr& expr, Value& out) = 0;
  // Null after an error, or, without `makes`, where there is no such element.
  virtual Element* element(Expr& expr, bool makes) = 0;
};

}  // namespace dt::stap
