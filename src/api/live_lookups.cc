// What the handlers of a language look up in a run: names of addresses, memory of the kernel and
// lines of sources. See live.h.

#include <optional>
#include <vector>

#include "api/live.h"
#include "kernel/memory.h"
#include "symbol/resolve/resolver.h"

namespace dt::api {

std::optional<front::Session::Named> Live::kernel_name(std::uint64_t address) const {
  symbol::Symbol found;
  if (!resolver_->kernel(KernelAddr{address}, found)) return std::nullopt;
  return front::Session::Named{found.name, found.module, found.offset, found.size, {}};
}

// A process that has mapped more since is looked at again.
std::optional<front::Session::Named> Live::user_name(std::int32_t pid,
                                                     std::uint64_t address) const {
  symbol::Symbol found;
  if (!resolver_->user(pid, UserAddr{address}, found)) {
    resolver_->note_process(pid);
    if (!resolver_->user(pid, UserAddr{address}, found)) return std::nullopt;
  }
  return front::Session::Named{found.name, found.module, found.offset, found.size, found.path};
}

kernel::KernelMemory* Live::kernel_memory() {
  if (!kernel_memory_) {
    kernel_memory_.emplace(kernel::KernelMemory::open(kernel_));
    if (!kernel_memory_->ok()) callbacks_.say(kernel_memory_->error().text);
  }
  return kernel_memory_->ok() ? &**kernel_memory_ : nullptr;
}

bool Live::read_kernel(std::uint64_t address, std::span<std::uint8_t> into) {
  kernel::KernelMemory* const memory = kernel_memory();
  return memory != nullptr && memory->read(address, into).ok();
}

std::uint64_t Live::current_task() {
  kernel::KernelMemory* const memory = kernel_memory();
  if (memory == nullptr) return 0;
  const Result<std::uint64_t> found = memory->current_task();
  return found.ok() ? *found : 0;
}

std::optional<front::Session::Line> Live::user_line(std::int32_t pid, std::uint64_t address,
                                                    bool is_return) const {
  const std::vector<symbol::SourceFrame> frames =
      resolver_->source(pid, UserAddr{address}, is_return);
  if (frames.empty() || frames.front().line == 0) return std::nullopt;
  return front::Session::Line{frames.front().file, frames.front().line};
}

}  // namespace dt::api
