#pragma once
// Session: the handlers of a program that run in this process, beside the clauses that run in the
// kernel. A language has one if it needs it; D does not.

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "front/outcome.h"
#include "record/schema.h"

namespace dt::front {

// What one firing of a clause has recorded.
struct Recorded {
  const record::ProbeNames* probe;  // null: unknown
  std::uint32_t clause = 0;         // index in ir::Program::clauses: each has one layout
  std::uint32_t cpu = 0;
  std::span<const std::uint8_t> bytes;  // fields are at record::Field::offset
};

class Session {
 public:
  // The function that has an address.
  struct Named {
    std::string function, module;  // "vmlinux" or a module; the name of a file
    std::uint64_t offset = 0;      // from where it begins
    std::uint64_t size = 0;        // 0: not known
    std::string path = {};         // of the file; empty: the kernel's
  };
  // Where code was written.
  struct Line {
    std::string file;
    std::uint32_t line = 0;
  };
  // What clauses keep in the kernel for a session.
  struct Accumulator {
    // A global variable of 8 bytes, by its index in ir::Program::variables. Clauses read and write
    // it at any time.
    std::function<std::int64_t*(std::uint32_t variable)> word = {};
    // Makes or removes the element of a global array with that key (its bytes as in memory); the
    // element has the value 1. True if that has changed the array.
    std::function<bool(std::uint32_t array, std::span<const std::uint8_t> key, bool is_there)>
        set_element = {};
    // How many words an element of the aggregation has.
    std::function<std::uint32_t(std::uint32_t aggregation)> words_of = {};
    using Wants = std::function<bool(std::uint32_t aggregation)>;
    using Visit = std::function<void(std::uint32_t aggregation, std::span<const std::uint8_t> key,
                                     std::span<const std::uint64_t> words)>;
    // Waits for the clauses that run now, and takes out what the aggregations have that are wanted
    // and `drained`. `visit` is called with a key and the words of one CPU; of an aggregation
    // without keys, with the words of all CPUs. Why nothing could be taken, or "".
    std::function<std::string(const Wants& wants, const Visit& visit)> take = {};
  };
  // Where its output and its messages go, and who knows names.
  struct Outlet {
    std::function<void(std::string_view text)> write;
    std::function<void(std::string_view message)> warn;
    // The function of the kernel, or of that process, at an address; nullopt: none is known.
    std::function<std::optional<Named>(std::uint64_t address)> kernel_name = {};
    std::function<std::optional<Named>(std::int32_t pid, std::uint64_t address)> user_name = {};
    // The line of the code at an address of that process, or, of one to which a call returns, that
    // of the call. Only where names_lines().
    std::function<std::optional<Line>(std::int32_t pid, std::uint64_t address, bool is_return)>
        user_line = {};
    // Fills `into` with memory of the kernel, as it is now; false where it cannot be read.
    std::function<bool(std::uint64_t address, std::span<std::uint8_t> into)> read_kernel = {};
    // The address of the task_struct of the thread that asks; 0 where it is not known.
    std::function<std::uint64_t()> current_task = {};
    // What clauses have added to aggregations, which a session may take out.
    Accumulator accumulator = {};
    // Runs a command, behind what was written; why it could not, or "".
    std::function<std::string(const std::string& command)> run = {};
    // If this is given, what handlers have done goes here, and nothing to write() and warn().
    std::function<void(const Outcome& outcome)> tell = {};
    // If this is given, it runs the handlers of keepers(), and may read variables before and
    // behind that.
    std::function<void(std::uint32_t keeper, const std::function<void()>& handler)> around = {};
  };
  // A file at which programs read what a session writes, or the other way.
  struct File {
    std::string path;  // below directory(), "limits/most"
    std::uint32_t mode = 0;
    bool is_read = false, is_written = false;
    std::size_t most_bytes = 0;  // that are taken of one write
  };
  // The thread that reads or writes.
  struct Asker {
    std::int32_t tid = 0;
    std::uint32_t uid = 0, gid = 0;
  };
  // A global variable that is shown at the end.
  struct Shown {
    bool is_text = false;    // and no number
    bool has_stack = false;  // a key may be one
  };
  // A global variable of numbers, as far as pictures that are made while it changes know it before.
  struct Variable {
    enum class Key : std::uint8_t { kNumber, kText, kUserStack, kKernelStack };
    std::string name;
    std::vector<Key> keys;
    std::uint32_t most_text = 0;  // bytes of a text that is a key
    // What is known of a statistic: kCount, kSum, kAvg, kMin, kMax, kQuantize, or kLquantize with
    // its parameters. Of a number kSum alone.
    bool is_statistic = false;
    std::vector<record::AggFunc> functions;
    record::AggParams params = {};
    // It falls only where a handler of keepers() empties it.
    bool is_counted = false;
  };
  // A handler of this process that prints variables, or empties them: their indices.
  struct Keeper {
    std::string point;
    bool is_timer = false;
    std::vector<std::uint32_t> prints, empties;
  };
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  virtual ~Session() = default;
  // Whether names of code of programs will be asked for, and of their lines.
  virtual bool names_code() const { return false; }
  virtual bool names_lines() const { return false; }
  // What write() or tell() has at the end, whatever happens.
  virtual std::vector<Shown> shown() const { return {}; }
  // The variables that read() has, and the handlers that around() is called with.
  virtual std::vector<Variable> variables() const { return {}; }
  virtual std::vector<Keeper> keepers() const { return {}; }
  // Calls `reads`, for which variables have all that clauses have added until now. Not for
  // around(), where they have that anyway.
  virtual void look(const std::function<void()>& reads) { reads(); }
  // A variable, or each of its elements, as it is: an outcome of the kind kVariable.
  using VisitVariable = std::function<void(const Outcome& value)>;
  virtual void read(std::uint32_t /*variable*/, const VisitVariable& /*visit*/) {}
  // Before probes fire.
  virtual void begin(Outlet outlet) = 0;
  virtual void record(const Recorded& recorded) = 0;
  // All that there was has been given to record().
  virtual void caught_up() {}
  // The files that are there from before begin() to end(), and where. They are numbered from 0.
  virtual std::vector<File> files() const { return {}; }
  virtual std::string directory() const { return {}; }
  // What the file has for that reader; nullopt: it cannot be read.
  virtual std::optional<std::string> read_file(std::size_t /*file*/, const Asker& /*asker*/) {
    return std::nullopt;
  }
  // False: it cannot be written.
  virtual bool write_file(std::size_t /*file*/, std::string_view /*text*/, const Asker& /*asker*/) {
    return false;
  }
  // Whether it is given what comes at the standard input.
  virtual bool wants_input() const { return false; }
  virtual void input(std::string_view /*text*/) {}
  // When expire() is due next, in ns of CLOCK_MONOTONIC.
  virtual std::int64_t next_expiry_ns() const = 0;
  virtual void expire(std::int64_t now_ns) = 0;
  // A command of -c has ended: with a status, or by a signal (0: with a status).
  virtual void command_ended(int /*status*/, int /*signal*/) {}
  // Whether a handler has asked for the end.
  virtual bool has_ended() const = 0;
  // Behind the last firing.
  virtual void end() = 0;
  // What the process is to exit with.
  virtual int exit_status() const = 0;
};

}  // namespace dt::front
