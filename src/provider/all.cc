// Every provider there is, in the order in which `dtrace -l` lists them. An
// ordinary list: a new provider is one line here.

#include "provider/all.h"

namespace dt::provider {

std::vector<std::unique_ptr<Provider>> all_providers(types::Catalog& types) {
  std::vector<std::unique_ptr<Provider>> providers;
  providers.push_back(dtrace_provider());
  providers.push_back(syscall_provider(kernel_runs_ia32(), types));
  providers.push_back(profile_provider());
  providers.push_back(tracepoint_provider("sdt", types));
  providers.push_back(tracepoint_provider("rawtp", types));
  return providers;
}

}  // namespace dt::provider
