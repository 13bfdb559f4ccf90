// See arguments.h.

#include "runtime/arguments.h"

#include <fmt/core.h>

#include <cerrno>

#include "bpf/program/arguments.h"
#include "kernel/zones.h"
#include "support/file.h"

namespace dt::runtime {

Status write_arguments(kernel::Kernel& kernel, const Fd& map, std::uint32_t bytes) {
  if (kernel::own_process_space() != 0) return {};
  for (const std::int32_t pid : support::numbers_in("/proc")) {
    const auto arguments = support::read_file(fmt::format("/proc/{}/cmdline", pid));
    if (!arguments.ok() || arguments->empty()) continue;
    const std::vector<std::uint8_t> value = bpf::arguments_value(*arguments, bytes);
    const auto key = static_cast<std::uint64_t>(pid);
    Status added = kernel.insert(map, &key, value.data());
    if (added.ok() || added.error().code == EEXIST) continue;
    if (added.error().code != E2BIG) return added;
    return Error::of("there are more processes than the arguments of which can be kept",
                     "raise dynvarsize");
  }
  return {};
}

}  // namespace dt::runtime
