// See arguments.h.

#include "runtime/arguments.h"

#include <fmt/core.h>

#include <cerrno>
#include <filesystem>

#include "bpf/program/arguments.h"
#include "kernel/zones.h"
#include "support/file.h"
#include "support/whole_number.h"

namespace dt::runtime {

Status write_arguments(kernel::Kernel& kernel, const Fd& map, std::uint32_t bytes) {
  if (kernel::own_process_space() != 0) return {};
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", failed)) {
    const std::string name = entry.path().filename();
    const auto process = support::whole_number<std::uint64_t>(name);
    if (!process) continue;
    const Result<std::string> arguments = support::read_file(entry.path() / "cmdline");
    if (!arguments.ok() || arguments->empty()) continue;
    const std::vector<std::uint8_t> value = bpf::arguments_value(*arguments, bytes);
    Status added = kernel.insert(map, &*process, value.data());
    if (added.ok() || added.error().code == EEXIST) continue;
    if (added.error().code != E2BIG) return added;
    return Error::of("there are more processes than the arguments of which can be kept",
                     "raise dynvarsize");
  }
  return {};
}

}  // namespace dt::runtime
