#pragma once
// Reads the kernel's own memory, by a program that is run for it: that needs no
// /proc/kcore, and what the kernel forbids to programs is refused with its reason.

#include <cstdint>
#include <span>

#include "kernel/kernel.h"

namespace dt::kernel {

class KernelMemory {
 public:
  // `kernel` must outlive it.
  static Result<KernelMemory> open(Kernel& kernel);

  // All of `into`, or an error.
  Status read(std::uint64_t address, std::span<std::uint8_t> into);
  // Where the kernel keeps the thread that asks: its task_struct.
  Result<std::uint64_t> current_task();

 private:
  KernelMemory(Kernel& kernel, Fd map, Fd program)
      : kernel_(&kernel), map_(std::move(map)), program_(std::move(program)) {}

  Kernel* kernel_;
  Fd map_;      // one element: what has been read
  Fd program_;  // reads a piece into it
  Fd task_;     // writes the address of the current task into it; loaded when it is first asked for
};

}  // namespace dt::kernel
