#pragma once
// Tracer: one run of tracing, from the text of programs in D or the SystemTap language to the last
// record.
//
//     options, programs -> compile() -> enable() -> go() -> poll() ... -> stop()
//
//     dtrace::Tracer tracer;
//     tracer.add({dtrace::Program::Kind::kName, "BEGIN { trace(pid); exit(0); }"});
//     tracer.on_record([](const dtrace::Record& record) { ... });
//     if (dtrace::Status status = tracer.run(); !status) { ... status.error().text ... }
//
// It needs the privileges that the dtrace command needs. A Tracer belongs to one thread: the
// functions are called in that thread, and they call the callbacks in that thread. A callback may
// call read(), interrupt() and run_command(), and no other function of its tracer. It must not
// throw: errors are values here, and the library is compiled without exceptions. Everything that
// the tracer creates in the kernel is removed when the tracer is destroyed or the process ends.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dtrace/options.h"
#include "dtrace/record.h"
#include "dtrace/result.h"
#include "dtrace/visibility.h"

namespace dtrace {

// One program: the argument of -n, -P, -m, -f or -i, or the file of a script.
struct Program {
  enum class Kind : std::uint8_t {
    kName,      // -n; also the whole text of a script
    kProvider,  // -P
    kModule,    // -m
    kFunction,  // -f
    kId,        // -i
    kScript,    // -s: a file
  };
  Kind kind = Kind::kName;
  std::string text;  // the program; of kScript, the path of the file
  std::optional<std::string> content =
      {};                        // the text that is compiled, where it is known (programs())
  bool is_preprocessed = false;  // `content` is the output of the preprocessor (-x cpp)
  // "d" is D, "stap" the SystemTap language. All programs of a tracer are in one language. add()
  // returns an error for any other name.
  std::string language = "d";
};

// Progress until the probes are live. When `of` is 0, the stage begins; otherwise it has reached
// program or probe `number` of `of`. An empty stage: all stages are over, and output follows.
struct Progress {
  std::string_view stage;
  std::size_t number = 0, of = 0;
};

// The stability of an interface as DTrace defines it: two stabilities, "Internal" to "Standard",
// and a dependency class, "Unknown" to "Common".
struct Attributes {
  std::string name, data, dependency;
};

// args[i] of a probe.
struct Argument {
  std::string type;       // "struct task_struct *"; empty: not known
  bool userland = false;  // a pointer to user memory
  std::string name = {};  // in the source of the traced code; empty: not known
};

// What a listing with -v shows of a probe.
struct ProbeDetails {
  Attributes names, arguments;  // their stability
  std::vector<Argument> types;
  std::string program;    // the BPF program that serves it; probes with equal names share one
  std::uint32_t key = 0;  // the number of the probe within that program
  std::string source;     // "tracepoint sched_process_fork"
};

// The lowest stability among the probes of a program, and among its statements.
struct ProgramStability {
  Attributes probes, statements;
};

// A feature of the kernel that tracing uses; whether it is present was found by trying.
struct Feature {
  std::string name;
  bool present = false;
  bool required = false;
  std::string reason;   // why it is absent; "" when it is present
  std::string purpose;  // what does not work without it
};
DTRACE_API std::vector<Feature> kernel_features();

// One probe of a provider, and work that makes it fire: what --self-test tries.
struct Trial {
  enum class Work : unsigned char {
    kNone,
    kCommand,  // run the command
    kPackets,  // send datagrams, and ask for connections, to this machine
    kThreads,  // create threads and lock mutexes in the process $target
  };
  std::string provider;
  std::string probe;
  Work work = Work::kNone;
  std::string command;
  std::vector<std::string> needs;  // it works only with one of these features; empty: everywhere
};
DTRACE_API std::vector<Trial> trials();
// The release of the running kernel (uname -r), and the number of possible CPUs.
DTRACE_API std::string kernel_release();
DTRACE_API unsigned kernel_cpus();

// The text with its control characters escaped, so that it cannot control a terminal.
DTRACE_API std::string escape_for_terminal(std::string_view text);

// The contents of a recording.
struct RecordingSummary {
  std::vector<Probe> probes;  // the enabled ones
  // The pictures that can be drawn of it, a line for each; of a script of the SystemTap language,
  // the variables that it shows at the end, with their types.
  std::string views;
  // Time, machine, number of records, drops, and what handlers have done, as text for people.
  std::string about;
  std::string flaw;  // why the rest of it cannot be read; "" when it is complete
};

class DTRACE_API Tracer {
 public:
  explicit Tracer(Options options = {});
  ~Tracer();
  Tracer(Tracer&& other) noexcept;
  Tracer& operator=(Tracer&& other) noexcept;

  // ---- What to trace; after compile(), these return an error ----

  Status set_option(std::string_view name, std::string_view value = {});
  Status add(Program program);
  Status add_argument(std::string text);  // $1, $2, ...
  // A flag or an argument that the script declares (dtrace/script.h).
  Status add_argument(std::string name, std::string text);
  Status add_command(std::string command);  // -c: it runs from go() on
  Status add_process(std::int32_t pid);     // -p
  // Instead of programs: a recording that -x record has made ("-": standard input). The steps are
  // the same and need no privileges; nothing is traced.
  Status open(std::string recording);
  // Reads the recording to its end; called instead of the steps from compile() on.
  Result<RecordingSummary> summarize();
  // As -B: each record wakes the reader, and the output is written after each read.
  void set_unbuffered();

  // ---- Callbacks; set them before compile() ----

  // Called with each record before its actions have an effect: at a printa() or a clear(), read()
  // shows the aggregation as the action finds it. The record is valid during the call only.
  void on_record(std::function<void(const Record&)> callback);
  // Without a callback for them, drops and faults are messages.
  void on_drop(std::function<void(const Drop&)> callback);
  void on_fault(std::function<void(const Fault&)> callback);
  void on_message(std::function<void(const Message&)> callback);
  void on_progress(std::function<void(const Progress&)> callback);
  // The text of a stage that -x dump names; of several, in their order.
  void on_dump(std::function<void(std::string_view text)> callback);
  // The lines of -x oformat=views, each as soon as it is known, in every output format. Set it
  // before enable(), and set -x listen before compile(), so that the compiler records what views
  // need.
  void on_view_line(std::function<void(std::string_view line)> callback);
  // The aggregations in the format of -x oformat=prometheus: at a tick or a refresh, at most once a
  // second, and at the end. Set it before enable().
  void on_metrics(std::function<void(std::string_view text)> callback);
  // Each message of -x push: a request of OTLP, or lines of Graphite. Set it before enable().
  void on_push(std::function<void(std::string_view message)> callback);

  // ---- The output of dtrace, in the format of -x oformat ----

  // Writes it to the descriptor, which must outlive the tracer; messages use `name` for it. Without
  // write_to(), no output is formatted. Call it before go(), or before the first poll() after
  // hold(). A picture (-x oformat=svg) is appended to a file; with `replaces`, it replaces the
  // file's contents.
  void write_to(int fd, std::string name, bool replaces = false);
  void write_to(std::function<void(std::string_view text)> write);
  // Adds text of the caller to the output, in order; from enable() on.
  void print(std::string_view text);

  // ---- Compiling; needs no privileges ----

  // The programs with the text that was compiled, included headers too; empty before compile().
  std::vector<Program> programs() const;

  // Starts the commands, stopped before their first instruction, and compiles all programs into
  // one. When a program has an error, diagnostics() has more about it.
  [[nodiscard]] Status compile();
  const std::vector<Diagnostic>& diagnostics() const;
  // The number of all diagnostics; diagnostics() keeps a limited number.
  std::size_t diagnostics_total() const;
  // The stage of -x stop was reached: the later steps return an error.
  bool is_stopped() const;
  // The options, with the changes of the programs' pragmas.
  const Options& options() const;
  // The number of probes that each program matched, in the order of add().
  std::vector<std::uint32_t> matched() const;
  // The stability of each program, in the same order, with -x verbose; nullopt: it has no clauses.
  std::vector<std::optional<ProgramStability>> stability() const;
  // The generated BPF code, disassembled.
  std::string disassembly() const;
  // The number of library files that were read for the programs.
  std::size_t library_files() const;

  // ---- Programs with probes of their own: instead of compile() ----

  // From the `provider` blocks of the programs: the text of the header that dtrace -h writes to
  // `file`, and the bytes of the object file that dtrace -G writes.
  Result<std::string> provider_header(std::string_view file);
  Result<std::string> provider_object();

  // ---- Probes ----

  // The probes that a description matches; ":::" matches all.
  std::vector<Probe> match(std::string_view description) const;
  // The probe descriptions of all clauses of the programs; called instead of compile().
  Result<std::vector<std::string>> descriptions();
  // Why a description matches no probe: reasons, remedies and similar descriptions, each a text of
  // its own; empty when none is known.
  std::vector<std::string> why_not(std::string_view description) const;
  // What a listing shows behind the name of a probe that match() returned: for the kinst provider,
  // the offset in hexadecimal and the instruction; for most providers "".
  std::string remark(const Probe& probe) const;
  ProbeDetails details(const Probe& probe) const;
  // The same for probes that are enabled together, which can change the programs that serve them.
  std::vector<ProbeDetails> details(std::span<const Probe> probes) const;

  // ---- Tracing; a step first takes the steps before it that were not taken ----

  // An error when tracing cannot begin: no program, no probe, or destructive actions that are not
  // permitted.
  [[nodiscard]] Status check();
  // Loads and attaches all programs; the probes do not record yet.
  [[nodiscard]] Status enable();
  // Runs BEGIN; then the probes record and the commands run.
  [[nodiscard]] Status go();
  // Reads what is recorded and calls the callbacks, for at most `most`. Returns true while tracing
  // continues, and false when stop() is due: exit() was called, the commands and processes have
  // ended, or tracing was interrupted.
  Result<bool> poll(std::chrono::milliseconds most);
  // poll() until it returns false, then stop().
  [[nodiscard]] Status run();
  // Like poll(), for a caller that does not read yet: records stay in the buffers.
  [[nodiscard]] Status hold(std::chrono::milliseconds most);
  // Runs END, reads the rest and prints what is printed at the end. A second call returns the same
  // status.
  Status stop();
  // After stop(): the argument of exit(); 1 when tracing failed.
  int exit_status() const;

  // ---- Aggregations: during go() and after stop() ----

  std::vector<std::string> aggregations() const;  // names, without '@'
  // Calls `visit` with each key and its present value, in the order of printing. A row is valid
  // during the call only.
  [[nodiscard]] Status read(std::string_view aggregation,
                            const std::function<void(const Row&)>& visit);
  Result<Aggregation> snapshot(std::string_view aggregation);

  // ---- Ending from outside ----

  enum class Interrupt : std::uint8_t {
    kAsk,  // like SIGINT: end tracing; a second one does not wait for a slow reader of the output
    kTerminate,  // like SIGTERM: end tracing, and do not wait for a slow reader of the output
  };
  void interrupt(Interrupt how = Interrupt::kAsk);
  bool is_interrupted() const;
  // From go() to stop(): runs a command with /bin/sh, its output where that of the script goes, and
  // waits for its end. What the script has printed may still be in a buffer. A second interrupt()
  // kills it, and so does kTerminate. An error if it cannot be run, or if this is a replay.
  Status run_command(const std::string& command);
  // Whether the process is to end, and not only tracing: after SIGTERM, SIGHUP or kTerminate.
  bool is_terminated() const;
  // From now on, SIGINT, SIGTERM and SIGHUP interrupt tracing.
  Status end_on_signals();
  // Every function that waits calls `ready` when `fd` becomes readable; `ready` may call
  // interrupt().
  Status watch(int fd, std::function<void()> ready);

 private:
  friend struct TracerInTest;  // our tests: another kernel, more languages
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dtrace
