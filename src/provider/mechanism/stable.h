#pragma once
// Probes with a stable meaning, made of the kernel's tracepoints. DT_TABLE_PROVIDER in
// providers.def lists the providers that are tables of them.
//
// A probe has a program of its own on the raw tracepoint that serves it. Its
// code leaves when the event is none of the probe's (sched_process_fork makes
// threads, too) and gives the arguments that D's translators turn into args[].
// A few are perf events, on every CPU, for want of a tracepoint.
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
  // Jumps to `leave` when the event is none of the probe's; nullptr: all are.
  void (*enter)(StableCode& code, bpf::Label leave) = nullptr;
  std::vector<probe::Argument> arguments = {};
  // The n-th of those that Argument::source counts.
  bpf::Reg (*argument)(StableCode& code, std::uint32_t n) = nullptr;
  // How many of those there are, when translators read more than args[] names. Any beyond is 0.
  std::uint32_t argument_count = 0;
  // A tracepoint that passes fewer does not serve the probe, though its code may need no
  // more: it fires at other times on kernels where it passes fewer.
  std::uint32_t parameter_count = 0;
  // Which of what the tracepoint passes is the thread that the probe is about, a
  // struct task_struct, when it is not the one that runs.
  std::optional<std::uint32_t> thread = {};
  // What fires the probe instead of a tracepoint; `enter` is not used then, and the
  // arguments are numbers.
  std::optional<kernel::PerfEvent> event = {};
  // Other tracepoints that fire it, too; the code tells them apart by what they pass. It reads
  // no word that one of them does not pass, and each as wide as `tracepoint` passes it: a
  // narrower one fills its word.
  std::vector<std::string> also = {};
  // The module of the kernel that has the tracepoint, when it is not built in.
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
