// Every provider of providers.def, made.

#include "provider/mechanism/kernel_code.h"
#include "provider/mechanism/providers.h"

namespace dt::provider {

std::vector<std::unique_ptr<Provider>> all_providers(kernel::Kernel& kernel,
                                                     const types::Catalog& types,
                                                     const OfProcesses& processes) {
  const std::shared_ptr<Tracepoints> points = kernel_tracepoints();
  const std::shared_ptr<Uprobes> uprobes = kernel_uprobes(kernel, types);
  const std::shared_ptr<KernelFunctions> functions = kernel_functions(kernel);
  std::vector<std::unique_ptr<Provider>> providers;
#define DT_PROVIDER(name, made, trial) providers.push_back(made);
#define DT_TABLE_PROVIDER(name, trial) providers.push_back(name##_provider(types));
#include "provider/mechanism/providers.def"
#undef DT_PROVIDER
#undef DT_TABLE_PROVIDER
  return providers;
}

}  // namespace dt::provider
