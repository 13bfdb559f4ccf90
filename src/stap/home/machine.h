#pragma once
// Machine: runs the handlers of a script at home, over its tree.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "front/outcome.h"
#include "front/session.h"
#include "stap/home/cycles.h"
#include "stap/home/strings.h"
#include "stap/home/variables.h"
#include "stap/meaning/access.h"
#include "stap/meaning/pattern.h"
#include "stap/meaning/program.h"

namespace dt::stap {

// What a firing has recorded, for the handler that it runs.
struct Firing {
  std::vector<Value> leaves;     // of Handler::leaves
  std::vector<bool> unreadable;  // by leaf: its memory could not be read
  std::vector<Value> contexts;   // by Fn
  std::vector<std::string>
      faults;  // of `provided`, why a value of the entry could not be read; or none
  std::vector<Value> provided;  // of Handler::provided
  std::string point;            // pp()
  // For a sample: the address at which the CPU was, in the kernel or in a program; the other is 0.
  std::uint64_t kernel_place = 0, user_place = 0;
  // For a handler that began in the kernel: how many additions were made there. It goes on behind
  // them.
  std::int64_t additions = 0;
  bool goes_home = false;         // the first firing that could not go on in the kernel
  std::vector<Reading> readings;  // memory as it was at the firing
  // No probe has fired: a process existed when the run began, or uses a file of the script. Then
  // the kernel's memory is read when the handler runs.
  bool is_now = false;
};

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
  const std::string& error() const { return error_; }
  // The error if an array has no room for an element that is added at `place`.
  std::string overflow(const Symbol& array, Span place) const;

  // A text as it leaves the script: control characters are kept only if the script has written
  // them.
  static std::string for_output(const Value& value);

  // A local variable of the handler that ran last.
  const Value& last_local(std::size_t slot) const { return frames_.front()[slot]; }
  // The commands of system() in the handler that ran last; they are to be run when it has ended.
  std::vector<std::string> take_commands() { return std::exchange(commands_, {}); }
  bool has_exited() const { return has_exited_; }
  // The stacks whose texts handlers have asked for.
  struct Stack {
    bool is_user = false;
    std::int32_t pid = 0;
    std::vector<std::uint64_t> addresses;
  };
  void note_stacks() { notes_stacks_ = true; }
  const Stack* find_stack(const std::string& text) const;
  Global& global(const Symbol& symbol) { return globals_[symbol.slot]; }

 private:
  enum class Flow : std::uint8_t { kNormal, kBreak, kContinue, kNext, kReturn, kAbort, kFail };

  // machine.cc
  bool is_true(Expr& expr, bool& holds);
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
  bool fail(std::string text, Span span);

  // expressions.cc
  bool evaluate(Expr& expr, Value& out);
  bool compute_value(Expr& expr, Value& out);
  bool name(Expr& expr, Value& out);
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
  bool keys(Expr& expr, std::vector<Value>& out);
  // Null after an error, or, without `makes`, where there is no such element.
  Element* element(Expr& expr, bool makes);
  Value* place_of(Expr& expr);
  Statistics* statistics_of(Expr& expr, bool makes);
  // To the length of a string, or to that of a file.
  void cut(std::string& text, std::int64_t longest = 0) const;
  bool matches(const Expr& expr, const std::vector<Value>& keys, const Element& element) const;

  // recorded_memory.cc
  bool access(Expr& expr, Value& out);
  bool steps(Expr& expr, Access& of, Value& out);
  bool load(Expr& expr, const AccessStep& step, std::uint64_t address, Value& out);
  bool reads_now() const { return firing_ == nullptr || firing_->is_now; }
  bool read_now(const AccessStep& step, std::uint64_t address, Value& out) const;
  bool is_readable(const AccessStep& step, std::uint64_t address) const;  // a text
  bool shown(Expr& expr, const Access& of, std::int64_t at, Value& out);
  // recorded_bytes.cc
  bool word(std::uint64_t address, std::uint32_t size, bool is_userland, std::string& out) const;
  bool bytes(Expr& expr, const Access& of, std::uint64_t at, Value& out);
  bool wide_text(Expr& expr, const AccessBytes& of, std::uint64_t at, Value& out);

  // calls.cc
  bool call(Expr& expr, Value& out);
  bool call_function(Expr& expr, Value& out);
  bool call_builtin(Expr& expr, Value& out);
  bool effect(Fn fn, const std::vector<Value>& arguments);
  Value context(Fn fn) const;
  Value context_at_home(Fn fn) const;
  bool print(Expr& expr, Fn fn, Value& out);
  struct Printed {
    std::string text;
    bool is_own = true;     // as Value
    bool is_shown = false;  // it goes to the output
    std::vector<front::OutcomeHistogram> histograms = {};
  };
  bool formatted(Expr& expr, Printed& out);
  bool printed(Expr& expr, Printed& out);
  bool print_histogram(Expr& expr, Printed& out);
  bool leaf(Expr& expr, Value& out);
  // symbols.cc
  bool symbols(Fn fn, Expr& expr, const std::vector<Value>& arguments, Value& out);
  // What is written of an address.
  enum class Shown : std::uint8_t { kName, kData, kModule };
  std::optional<front::Session::Named> named(std::uint64_t address, bool is_user) const;
  std::optional<front::Session::Line> line_of(std::uint64_t address, bool is_return) const;
  std::string name_of(std::uint64_t address, bool is_user, Shown shown) const;
  enum class Frames : std::uint8_t { kWhole, kBrief, kWithLines };
  std::string frame_text(std::uint64_t address, bool is_user, bool is_return, Frames frames) const;
  std::string lines_of(const std::string& addresses, bool is_user, Frames frames) const;
  std::string source_text(Fn fn, std::uint64_t address) const;
  bool frame(Fn fn, const std::vector<Value>& arguments, Value& out) const;
  std::string stack_text(bool is_user) const;
  void note_stack(const std::string& text, const std::string& addresses, bool is_user);
  // calls.cc
  bool match(Expr& expr, const std::string& text, Value& out);
  bool matched(Expr& expr, std::int64_t number, Value& out);
  struct Written {
    std::string text;
    std::vector<front::OutcomeHistogram> histograms;
  };
  // Through the speculation of this firing, if it has one.
  void write(Written written);
  void put(Written written);
  void speculate(Fn fn, std::int64_t number);

  Value& local(const Symbol& symbol) { return frames_.back()[symbol.slot]; }

  Program& program_;
  Surroundings surroundings_;
  std::vector<Global> globals_;
  std::vector<std::vector<Value>> frames_;
  Value result_;  // of the function that returns
  const Firing* firing_ = nullptr;
  const Firing* caller_ = nullptr;  // of a handler of a file: who reads or writes it
  const Handler* handler_ = nullptr;
  Tokens tokens_;
  std::map<const Expr*, std::unique_ptr<Pattern>> patterns_;
  Cycles cycles_;
  std::vector<std::string> matched_, commands_;
  bool notes_stacks_ = false, has_said_stacks_ = false;
  std::unordered_map<std::string, Stack> stacks_;  // by their texts
  std::map<std::int64_t, Written> speculations_;
  std::int64_t last_speculation_ = 0, speculation_ = 0;  // 0: none
  std::size_t depth_ = 0;                                // of what is evaluated
  std::int64_t actions_ = 0, most_actions_ = 0;
  std::string error_;
  bool is_read_fault_ = false;  // the error is that memory cannot be read
  bool has_exited_ = false;
  bool is_aborted_ = false;
  bool is_address_shown_ = false;  // instead of a text that cannot be read
  bool is_skipped_ = false;        // the read fault is one that --skip-badvars makes 0
};

}  // namespace dt::stap
