// See follow.h.

#include "runtime/follow.h"

#include "provider/mechanism/tracepoint.h"

namespace dt::runtime {

Result<Load> follow_forks(const bpf::Object& object, const types::Catalog& types) {
  constexpr const char* kPoint = "sched_process_fork";
  if (!provider::tracepoint_parameters(types, kPoint)) {
    return provider::untyped_tracepoint("-x follow", types);
  }
  Load load;
  load.object = &object;
  load.spec =
      provider::typed_tracepoint_program("follow", kPoint, types, ::dt::types::kKernelModule);
  load.attach = [](const Fd& program, kernel::Kernel& kernel) {
    return provider::attach_tracepoint("", program, kernel);
  };
  return load;
}

}  // namespace dt::runtime
