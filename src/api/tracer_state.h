#pragma once
// What a Tracer consists of, for the files that make it up: tracer.cc (the
// stages), probes.cc (what can be asked without tracing).

#include <optional>
#include <utility>
#include <vector>

#include "api/options/request.h"
#include "api/run/compile.h"
#include "dtrace/tracer.h"
#include "kernel/kernel.h"
#include "runtime/process.h"
#include "support/signals.h"

namespace dt::api {
class BaseRecording;
class Run;
struct Recording;
}  // namespace dt::api

namespace dt::probe {
struct Unmatched;
}

namespace dtrace {

struct __attribute__((visibility("hidden"))) Tracer::State {
  explicit State(std::unique_ptr<dt::kernel::Kernel> runs_on);
  ~State();

  std::unique_ptr<dt::kernel::Kernel> kernel;
  dt::api::Request request;
  dt::api::Callbacks callbacks;
  dt::api::Place place;
  Options options;
  std::vector<dt::runtime::Process> processes;
  std::optional<dt::Error> unsettled;  // why one of them did not come to its entry point
  // Descriptors and interrupts may come before there is something to give them to; they are passed
  // on when there is.
  std::vector<std::pair<int, std::function<void()>>> watched;  // before there is a Live
  std::vector<Interrupt> interrupts;                           // the same
  bool is_terminated = false;
  std::optional<dt::support::Signals> signals;
  dt::api::Compiled compiled;
  std::vector<Diagnostic> diagnostics;
  // Each stage first brings about the one before it, so a program may begin with go(). A stage is
  // left in one direction only: after a failure the tracer can be stopped, and nothing else.
  //
  // In the order in which they are reached.
  enum class Stage : std::uint8_t {
    kOpen,      // programs and options can be added
    kCompiled,  // or refused
    kEnabled,
    kGoing,
    kStopped,  // or stopping: what stop() gives is `stopped`
  };
  Stage stage = Stage::kOpen;
  Status stopped;
  bool is_polling = false;  // callbacks run, which must not poll() or stop()
  std::unique_ptr<dt::api::Run> live;
  std::string recording_name;                     // of what is run instead of programs
  std::unique_ptr<dt::api::Recording> recording;  // once it is open
  std::unique_ptr<dt::api::BaseRecording> base;   // -x base

  dt::Status start_processes();
  dt::Result<std::optional<std::int64_t>> find_target();
  dt::Status settle(std::int32_t pid);
  Status place_commands();
  bool is_open() const { return stage == Stage::kOpen; }
  bool has_gone() const { return stage >= Stage::kGoing; }
  // Whatever is compiled: once, and nothing is added afterwards.
  Status begin_compiling();
  Status compile();
  Status open_recording();
  Status read_base();
  bool has_handlers() const;
  Status check() const;
  Status enable();
  Status go();
  Error refused(dt::Error error) const;
  // With its providers and types, compiled or not.
  const dt::api::Compiled& catalogs();
  // What a provider refuses and its hint, in the language of the programs, or D.
  std::vector<std::string> worded(const dt::probe::Unmatched& unmatched);
  void take_diagnostics();
  Result<std::string> of_providers(
      const std::function<std::string(const std::vector<dt::usdt::Provider>&)>& make);
  void interrupt(Interrupt how);
};

}  // namespace dtrace
