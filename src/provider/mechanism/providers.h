#pragma once
// What each provider's file gives to all.cc, and nothing else does.

#include <functional>
#include <memory>
#include <string>

#include "provider/mechanism/provider.h"

namespace dt::provider {

class KernelFunctions;
class Tracepoints;
class Uprobes;

std::unique_ptr<Provider> dtrace_provider();
// `ia32`: 32-bit tasks can exist here, and are distinguished.
// `types`: the kernel's, which must outlive the provider.
// `is_solaris`: whether calls have the names of Solaris; empty: they have not.
std::unique_ptr<Provider> syscall_provider(bool ia32, const types::Catalog& types,
                                           std::function<bool()> is_solaris = {});
std::unique_ptr<Provider> profile_provider();
// Packets at the hooks of netfilter. `types` must outlive it.
std::unique_ptr<Provider> netfilter_provider(const types::Catalog& types);
std::unique_ptr<Provider> cpc_provider();
// The kernel's tracepoints under the name "sdt" or "rawtp". `types` gives their
// arguments and must outlive the provider.
std::shared_ptr<Tracepoints> kernel_tracepoints();
std::unique_ptr<Provider> tracepoint_provider(std::string name, const types::Catalog& types,
                                              std::shared_ptr<Tracepoints> points);

// proc_provider(types) and others. `types` must outlive the providers.
#define DT_PROVIDER(name, made, trial)
#define DT_TABLE_PROVIDER(name, trial) \
  std::unique_ptr<Provider> name##_provider(const types::Catalog& types);
#include "provider/mechanism/providers.def"
#undef DT_PROVIDER
#undef DT_TABLE_PROVIDER

// How the kernel serves these. It and its `types` must outlive them.
std::shared_ptr<Uprobes> kernel_uprobes(kernel::Kernel& kernel, const types::Catalog& types);
// `types` gives the arguments of functions and must outlive it.
std::unique_ptr<Provider> pid_provider(const types::Catalog& types, OfProcesses processes,
                                       std::shared_ptr<Uprobes> uprobes);
// The locks of processes.
std::unique_ptr<Provider> plockstat_provider(OfProcesses processes,
                                             std::shared_ptr<Uprobes> uprobes);
// What their threads do.
std::unique_ptr<Provider> pthread_provider(OfProcesses processes, std::shared_ptr<Uprobes> uprobes);
// Behind them: it owns names that end with a number and belong to no other provider.
std::unique_ptr<Provider> usdt_provider(const types::Catalog& types, OfProcesses processes,
                                        std::shared_ptr<Uprobes> uprobes);
// The kernel's functions. `types` must outlive the provider.
std::shared_ptr<KernelFunctions> kernel_functions(kernel::Kernel& kernel);
std::unique_ptr<Provider> fbt_provider(const types::Catalog& types,
                                       std::shared_ptr<KernelFunctions> functions);
// What they do with files.
std::unique_ptr<Provider> fsinfo_provider(const types::Catalog& types,
                                          std::shared_ptr<KernelFunctions> functions);
class KernelCode;
// Single instructions of them.
std::unique_ptr<KernelCode> kernel_code(const types::Catalog& types,
                                        std::shared_ptr<KernelFunctions> functions);
std::unique_ptr<Provider> kinst_provider(std::shared_ptr<KernelFunctions> functions,
                                         std::unique_ptr<KernelCode> code);

// Whether this kernel runs 32-bit programs.
bool kernel_runs_ia32();

}  // namespace dt::provider
