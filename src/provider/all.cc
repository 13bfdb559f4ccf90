// Every provider there is, in the order in which `dtrace -l` lists them. An
// ordinary list: a new provider is one line here.

#include "provider/mechanism/kernel_code.h"
#include "provider/mechanism/providers.h"

namespace dt::provider {

std::vector<std::unique_ptr<Provider>> all_providers(kernel::Kernel& kernel,
                                                     const types::Catalog& types,
                                                     const OfProcesses& processes) {
  std::vector<std::unique_ptr<Provider>> providers;
  providers.push_back(dtrace_provider());
  providers.push_back(syscall_provider(kernel_runs_ia32(), types));
  providers.push_back(profile_provider());
  const std::shared_ptr<Tracepoints> points = kernel_tracepoints();
  providers.push_back(proc_provider(types));
  providers.push_back(sched_provider(types));
  providers.push_back(io_provider(types));
  providers.push_back(ip_provider(types));
  providers.push_back(tcp_provider(types));
  providers.push_back(udp_provider(types));
  providers.push_back(mib_provider(types));
  providers.push_back(sysinfo_provider(types));
  providers.push_back(vminfo_provider(types));
  providers.push_back(lockstat_provider(types));
  providers.push_back(tracepoint_provider("sdt", types, points));
  providers.push_back(tracepoint_provider("rawtp", types, points));
  providers.push_back(cpc_provider());
  const std::shared_ptr<Uprobes> uprobes = kernel_uprobes(kernel, types);
  providers.push_back(pid_provider(types, processes, uprobes));
  providers.push_back(plockstat_provider(processes, uprobes));
  providers.push_back(pthread_provider(processes, uprobes));
  providers.push_back(usdt_provider(types, processes, uprobes));
  const std::shared_ptr<KernelFunctions> functions = kernel_functions(kernel);
  providers.push_back(kinst_provider(functions, kernel_code(types, functions)));
  // Last, so that nobody needs the list of functions to have an id.
  providers.push_back(fsinfo_provider(types, functions));
  providers.push_back(fbt_provider(types, functions));
  return providers;
}

}  // namespace dt::provider
