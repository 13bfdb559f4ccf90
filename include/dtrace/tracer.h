#pragma once
// Tracer: programs, in D or another language, from their text to the last record.
//
//     options, programs -> compile() -> enable() -> go() -> poll() ... -> stop()
//
//     dtrace::Tracer tracer;
//     tracer.add({dtrace::Program::Kind::kName, "BEGIN { trace(pid); exit(0); }"});
//     tracer.on_record([](const dtrace::Record& record) { ... });
//     if (dtrace::Status status = tracer.run(); !status) { ... status.error().text ... }
//
// Needs the rights that the dtrace command needs. A Tracer belongs to one
// thread: everything is called, and told, in the thread that calls it. Who is told
// of something may read() and interrupt(), and does nothing else with the tracer
// meanwhile. What it makes in the kernel is gone when it is destroyed, or the
// process dies.

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

// What is compiled: as -n and its like take it, or a script's file.
struct Program {
  enum class Kind : std::uint8_t {
    kName,      // -n; also what a whole script says
    kProvider,  // -P
    kModule,    // -m
    kFunction,  // -f
    kId,        // -i
    kScript,    // -s: a file
  };
  Kind kind = Kind::kName;
  std::string text;                         // the program; of a script, its file's name
  std::optional<std::string> content = {};  // of the file, or the program, where it is known
  bool is_preprocessed = false;             // -x cpp has gone over `content`
  // What it is written in; "d" is D, the only language that is built in. All programs of a
  // tracer are in one language. add() refuses a language that does not exist.
  std::string language = "d";
};

// How it goes on until probes are live: a stage begins, or when `of` is not 0, the
// stage has come to this program or probe. An empty stage: output follows.
struct Progress {
  std::string_view stage;
  std::size_t number = 0, of = 0;
};

// Internal ... Standard, and Unknown ... Common, as texts.
struct Attributes {
  std::string name, data, dependency;
};

// args[i] of a probe.
struct Argument {
  std::string type;       // "struct task_struct *"; empty: not known
  bool userland = false;  // lies in the process's memory
  std::string name = {};  // as the traced code calls it; empty: not known
};

// More about a probe, for people.
struct ProbeDetails {
  Attributes names, arguments;  // how stable
  std::vector<Argument> types;
  std::string program;    // of those that one BPF program serves
  std::uint32_t key = 0;  // by which that program knows the probe
  std::string source;     // "tracepoint sched_process_fork"
};

// The least stable of what a program names and says.
struct ProgramStability {
  Attributes probes, statements;
};

// What the kernel can do that tracing uses, found by trying.
struct Feature {
  std::string name;
  bool present = false;
  bool required = false;
  std::string reason;   // why it is not there
  std::string purpose;  // what there is not without it
};
DTRACE_API std::vector<Feature> kernel_features();

// A probe of each provider that something ordinary makes fire: what --self-test tries.
struct Trial {
  enum class Work : unsigned char {
    kNone,
    kCommand,  // run the command
    kPackets,  // send datagrams, and ask for connections, to this machine
    kThreads,  // make threads and take locks, in the process that $target is
  };
  std::string provider;
  std::string probe;
  Work work = Work::kNone;
  std::string command;
  std::vector<std::string> needs;  // one of these features, if there are any
};
DTRACE_API std::vector<Trial> trials();
// The release of the kernel that runs, and how many CPUs it may have.
DTRACE_API std::string kernel_release();
DTRACE_API unsigned kernel_cpus();

// A message on a terminal: what could control it is escaped.
DTRACE_API std::string escape_for_terminal(std::string_view text);

// What a recording has.
struct RecordingSummary {
  std::vector<Probe> probes;  // those that were enabled
  std::string views;          // the pictures that its program means, a line for each
  std::string about;          // when and where it was made, how much is in it, what was lost
  std::string flaw;           // why not all of it can be read; "" where it is whole
};

class DTRACE_API Tracer {
 public:
  explicit Tracer(Options options = {});
  ~Tracer();
  Tracer(Tracer&& other) noexcept;
  Tracer& operator=(Tracer&& other) noexcept;

  // ---- What to trace; an error once it is compiled ----

  Status set_option(std::string_view name, std::string_view value = {});
  Status add(Program program);
  Status add_argument(std::string text);  // $1, $2, ...
  // A flag or an argument that the script declares (dtrace/script.h).
  Status add_argument(std::string name, std::string text);
  Status add_command(std::string command);  // -c: begins with go()
  Status add_process(std::int32_t pid);     // -p
  // In the place of programs: a recording that -x record has made ("-": standard input). The steps
  // are the same, and need no rights; nothing is traced.
  Status open(std::string recording);
  // Reads the recording to its end, in the place of running it.
  Result<RecordingSummary> summarize();
  // Every record is handed over as soon as it is there.
  void set_unbuffered();

  // ---- Who is told what, while it happens; set them before compile() ----

  // Each record, before its actions act: at a printa() or a clear(), read()
  // gives what the action meets. The record is valid during the call only.
  void on_record(std::function<void(const Record&)> told);
  // Both are told as messages while nobody else is.
  void on_drop(std::function<void(const Drop&)> told);
  void on_fault(std::function<void(const Fault&)> told);
  void on_message(std::function<void(const Message&)> told);
  void on_progress(std::function<void(const Progress&)> told);
  // The text of the stage that -x dump names.
  void on_dump(std::function<void(std::string_view text)> told);
  // The lines of -x oformat=views, each when it is known, whatever the form of the output is.
  // Before enable(); -x listen says to the compiler that they will be wanted.
  void on_view_line(std::function<void(std::string_view line)> told);
  // Aggregations as -x oformat=prometheus shows them, as of a tick or a refresh, at most once a
  // second, and at the end. Before enable().
  void on_metrics(std::function<void(std::string_view text)> told);

  // ---- What dtrace prints, text or JSON as -x oformat says ----

  // Into this descriptor, which must outlive the tracer; messages call it
  // `name`. Without write_to(), no text is made. Before go(), or while hold() is all
  // that came after it. A picture (-x oformat=svg) is written behind what a file has held; with
  // `replaces` it takes the place of that.
  void write_to(int fd, std::string name, bool replaces = false);
  void write_to(std::function<void(std::string_view text)> write);
  // Text of the caller's own among it, from enable() on.
  void print(std::string_view text);

  // ---- Compiling; needs no rights ----

  // The programs with what was compiled of them, headers included; none before
  // compile().
  std::vector<Program> programs() const;

  // Starts commands, which stand still before their first instruction, and
  // compiles all programs into one. An error in a program has diagnostics() beside it.
  [[nodiscard]] Status compile();
  const std::vector<Diagnostic>& diagnostics() const;
  // How many there were: not all of very many are kept.
  std::size_t diagnostics_total() const;
  // -x stop was reached: there is nothing to go with.
  bool is_stopped() const;
  // As the programs' pragmas have changed them.
  const Options& options() const;
  // How many probes each program has matched, in the order of add().
  std::vector<std::uint32_t> matched() const;
  // The same for how stable they are, under -x verbose; nullopt: it has no clauses.
  std::vector<std::optional<ProgramStability>> stability() const;
  // The generated code.
  std::string disassembly() const;
  // How many files of libraries have been read for the programs.
  std::size_t library_files() const;

  // ---- Programs with probes of their own: instead of compile() ----

  // Of the `provider` blocks of the programs: the header of dtrace -h, `file` its
  // name, and the object file of dtrace -G.
  Result<std::string> provider_header(std::string_view file);
  Result<std::string> provider_object();

  // ---- Probes ----

  // Those that a description matches; ":::" is all.
  std::vector<Probe> match(std::string_view description) const;
  // The descriptions of all clauses of the programs; instead of compile().
  Result<std::vector<std::string>> descriptions();
  // Why a description matches nothing, and what to do or what it may have meant, as
  // far as that is known: each a text of its own.
  std::vector<std::string> why_not(std::string_view description) const;
  // What a listing says of a probe that match() gave, behind its name: of one of kinst
  // its offset in hexadecimal and the instruction there. Mostly "".
  std::string remark(const Probe& probe) const;
  ProbeDetails details(const Probe& probe) const;
  // Of probes that are enabled together, which may change what serves them.
  std::vector<ProbeDetails> details(std::span<const Probe> probes) const;

  // ---- Tracing; each step does those before it that were not done ----

  // Whether there is anything to go with: a program, a probe, the right to
  // destructive actions.
  [[nodiscard]] Status check();
  // Loads and attaches everything; probes do nothing yet.
  [[nodiscard]] Status enable();
  // Runs BEGIN, lets the probes record and the commands run.
  [[nodiscard]] Status go();
  // Reads and hands over what is recorded, for so long at most; true while
  // tracing goes on, false once stop() is due: exit() was called, the commands
  // and processes have ended, or somebody has interrupted.
  Result<bool> poll(std::chrono::milliseconds most);
  // poll() until tracing is to end, then stop().
  [[nodiscard]] Status run();
  // For one who does not read yet: what is recorded waits in the buffer.
  [[nodiscard]] Status hold(std::chrono::milliseconds most);
  // Runs END, hands over the rest, prints what is to be printed at the end. A
  // second call gives the same.
  Status stop();
  // After stop(): what exit() was given; 1 when something has failed.
  int exit_status() const;

  // ---- Aggregations: during go() and after stop() ----

  std::vector<std::string> aggregations() const;  // names, without '@'
  // Every key with its value now, in the order in which it would be printed.
  // A row is valid during the call only.
  [[nodiscard]] Status read(std::string_view aggregation,
                            const std::function<void(const Row&)>& visit);
  Result<Aggregation> snapshot(std::string_view aggregation);

  // ---- Ending from outside ----

  enum class Interrupt : std::uint8_t {
    kAsk,        // as SIGINT: end; a second one waits for no reader of the output
    kTerminate,  // as SIGTERM: end soon, whoever does not read
  };
  void interrupt(Interrupt how = Interrupt::kAsk);
  bool is_interrupted() const;
  // Whether somebody wants the end of everything, and not only of tracing: SIGTERM, SIGHUP.
  bool is_terminated() const;
  // SIGINT, SIGTERM and SIGHUP interrupt from now on.
  Status end_on_signals();
  // `ready` is called when `fd` becomes readable, by any function that waits; it
  // may interrupt().
  Status watch(int fd, std::function<void()> ready);

 private:
  friend struct TracerInTest;  // our tests: another kernel, more languages
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dtrace
