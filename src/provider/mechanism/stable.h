#pragma once
// Probes with a stable meaning, made of the kernel's tracepoints. DT_TABLE_PROVIDER in
// providers.def lists the providers that are tables of them.
//
// A probe has a program of its own on the raw tracepoint that serves it. Its
// code leaves if the event does not belong to the probe (sched_process_fork makes
// threads, too), and computes the arguments that D's translators turn into args[].
// A few probes have no tracepoint; they are perf events, on every CPU.
//
// A probe is listed if this kernel has all that it needs: the tracepoint, and all that its
// code asks StableCode for. These needs are declared nowhere: the code is written once for no
// program, to see whether it finds all of them. If one is missing, why_not() names it.
//
// Probes of one tracepoint fire in the order of the table.
//
// The tracepoint and the structures of a probe may be a kernel module's. Such a probe is
// listed for as long as the module is loaded, or where it is built into the kernel.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernel/perf_event.h"
#include "probe/probe.h"
#include "provider/mechanism/provider.h"
#include "provider/mechanism/stable_code.h"
#include "types/type.h"

namespace dt::provider {

struct StableProbe {
  std::string name;
  std::string tracepoint;
  // Jumps to `leave` if the event does not belong to the probe; nullptr: all events belong to it.
  void (*enter)(StableCode& code, bpf::Label leave) = nullptr;
  std::vector<probe::Argument> arguments = {};
  // Computes the n-th raw argument, arg0 and so on (Argument::source counts these).
  bpf::Reg (*argument)(StableCode& code, std::uint32_t n) = nullptr;
  // The number of raw arguments, if translators read more of them than args[] names. A raw argument
  // beyond is 0.
  std::uint32_t argument_count = 0;
  // On a kernel whose tracepoint passes fewer parameters, the probe is absent, although its code
  // may not read them: there, the tracepoint fires at other times.
  std::uint32_t parameter_count = 0;
  // The parameter of the tracepoint (a struct task_struct *) that is the thread which the probe is
  // about, if that is not the running thread.
  std::optional<std::uint32_t> thread = {};
  // A perf event that fires the probe instead of a tracepoint. Then `enter` is not used, and the
  // arguments are numbers.
  std::optional<kernel::PerfEvent> event = {};
  // Other tracepoints that fire the probe, too. The code distinguishes them by what they pass; it
  // reads only words that all of them pass, each as wide as in `tracepoint`. (A narrower parameter
  // fills its word.)
  std::vector<std::string> also = {};
  // The kernel module that has the tracepoint and the structures, if they are not built in.
  std::string module = std::string(types::kKernelModule);
};

// A probe that DTrace's guides name and that no kernel of ours can serve.
struct AbsentProbe {
  std::string name;
  std::string why;
};

// `types`: the kernel's, which must outlive the provider.
std::unique_ptr<Provider> stable_provider(std::string name, const types::Catalog& types,
                                          std::vector<StableProbe> probes,
                                          std::vector<AbsentProbe> absent = {});

}  // namespace dt::provider
