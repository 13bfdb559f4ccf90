#pragma once
// Stages 8-11: link, load, attach, go, consume, print; until something ends it.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "cli/compile.h"
#include "cli/effects.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "consumer/consumer.h"
#include "consumer/output.h"
#include "kernel/kernel.h"
#include "runtime/process.h"
#include "runtime/session.h"
#include "runtime/signals.h"
#include "support/fd.h"
#include "symbol/symbol.h"

namespace dt::cli {

class Live {
 public:
  // All references must outlive this.
  Live(Compiled& compiled, const CommandLine& line, std::vector<runtime::Process>& processes,
       const Fd& output, Stages& stages);

  // Traces until exit(), a signal, the end of every process of -c and -p, or an
  // error. Returns the exit status; has said what there was to say.
  int run();

 private:
  int trace();
  Status prepare();
  Status load_programs();
  Status start();
  Status loop();
  Status finish();
  void announce();
  void take(std::span<const std::uint8_t> bytes);
  void take_signals();
  void check_processes();
  Status report_drops();
  int refuse(const Error& error);

  Compiled& compiled_;
  const CommandLine& line_;
  std::vector<runtime::Process>& processes_;
  Stages& stages_;
  std::unique_ptr<kernel::Kernel> kernel_;
  std::unique_ptr<symbol::Resolver> resolver_;
  std::optional<runtime::Signals> signals_;
  int interrupts_ = 0;
  bool terminated_ = false;  // by SIGTERM or SIGHUP
  Messages messages_;
  consumer::FileOutput output_;  // asks the signals, so it goes before them
  Effects effects_;
  std::unique_ptr<runtime::Session> session_;
  std::unique_ptr<consumer::Consumer> consumer_;
  std::chrono::steady_clock::time_point next_drops_;
  std::size_t ended_ = 0;               // processes of -c and -p that have ended
  std::vector<bool> gone_;              // by process
  std::optional<Diagnostic> rejected_;  // the place that the verifier refused
};

}  // namespace dt::cli
