#include "api/input/lookups.h"

#include <vector>

#include "api/options/request.h"
#include "symbol/resolve/resolver.h"

namespace dt::api {

std::optional<front::Session::Named> Lookups::kernel_name(std::uint64_t address) const {
  symbol::Symbol found;
  if (!resolver_.kernel(KernelAddr{address}, found)) return std::nullopt;
  return front::Session::Named{found.name, found.module, found.offset, found.size, {}};
}

// A process that has mapped more since is looked at again.
std::optional<front::Session::Named> Lookups::user_name(std::int32_t pid,
                                                        std::uint64_t address) const {
  symbol::Symbol found;
  if (!resolver_.user(pid, UserAddr{address}, found)) {
    resolver_.note_process(pid);
    if (!resolver_.user(pid, UserAddr{address}, found)) return std::nullopt;
  }
  return front::Session::Named{found.name, found.module, found.offset, found.size, found.path};
}

kernel::KernelMemory* Lookups::memory() {
  if (!memory_) {
    memory_.emplace(kernel::KernelMemory::open(kernel_));
    if (!memory_->ok()) callbacks_.say(memory_->error().text);
  }
  return memory_->ok() ? &**memory_ : nullptr;
}

bool Lookups::read_kernel(std::uint64_t address, std::span<std::uint8_t> into) {
  kernel::KernelMemory* const kernel = memory();
  return kernel != nullptr && kernel->read(address, into).ok();
}

std::uint64_t Lookups::current_task() {
  kernel::KernelMemory* const kernel = memory();
  if (kernel == nullptr) return 0;
  const Result<std::uint64_t> found = kernel->current_task();
  return found.ok() ? *found : 0;
}

std::optional<front::Session::Line> Lookups::user_line(std::int32_t pid, std::uint64_t address,
                                                       bool is_return) const {
  const std::vector<symbol::SourceFrame> frames =
      resolver_.source(pid, UserAddr{address}, is_return);
  if (frames.empty() || frames.front().line == 0) return std::nullopt;
  return front::Session::Line{frames.front().file, frames.front().line};
}

}  // namespace dt::api
