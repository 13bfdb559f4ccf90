// See argument_programs.h.

#include "runtime/argument_programs.h"

#include "bpf/program/arguments.h"
#include "provider/mechanism/tracepoint.h"

namespace dt::runtime {

Result<std::vector<Load>> note_arguments(const std::vector<bpf::Object>& objects,
                                         const types::Catalog& types) {
  std::vector<Load> loads;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const std::string& point = bpf::arguments_points()[i];
    if (!provider::tracepoint_parameters(types, point)) {
      return provider::untyped_tracepoint("task_psargs()", types);
    }
    Load load;
    load.object = &objects[i];
    load.spec =
        provider::typed_tracepoint_program("arguments", point, types, ::dt::types::kKernelModule);
    load.attach = [](const Fd& program, kernel::Kernel& kernel) {
      return provider::attach_tracepoint("", program, kernel);
    };
    loads.push_back(std::move(load));
  }
  return loads;
}

}  // namespace dt::runtime
