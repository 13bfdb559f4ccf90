#pragma once
// Lookups: what the handlers of a language look up in a run: names of addresses, memory of the
// kernel and lines of sources (front::Session::Outlet).

#include <cstdint>
#include <optional>
#include <span>

#include "front/session.h"
#include "kernel/memory.h"
#include "support/result.h"

namespace dt::kernel {
class Kernel;
}

namespace dt::symbol {
class Resolver;
}

namespace dt::api {

struct Callbacks;

class Lookups {
 public:
  // All references must outlive this.
  Lookups(kernel::Kernel& kernel, symbol::Resolver& resolver, const Callbacks& callbacks)
      : kernel_(kernel), resolver_(resolver), callbacks_(callbacks) {}

  std::optional<front::Session::Named> kernel_name(std::uint64_t address) const;
  std::optional<front::Session::Named> user_name(std::int32_t pid, std::uint64_t address) const;
  std::optional<front::Session::Line> user_line(std::int32_t pid, std::uint64_t address,
                                                bool is_return) const;
  // False if the memory cannot be read.
  bool read_kernel(std::uint64_t address, std::span<std::uint8_t> into);
  std::uint64_t current_task();  // 0: not known

 private:
  kernel::KernelMemory* memory();  // nullptr: the kernel does not let it be read

  kernel::Kernel& kernel_;
  symbol::Resolver& resolver_;
  const Callbacks& callbacks_;
  std::optional<Result<kernel::KernelMemory>> memory_;  // opened when a handler first reads
};

}  // namespace dt::api
