#pragma once
// What each provider's file gives to all.cc, and nothing else does.

#include <memory>

#include "provider/provider.h"

namespace dt::provider {

std::unique_ptr<Provider> dtrace_provider();
// `ia32`: 32-bit tasks can exist here, and are told apart.
// `btf`: the file with the kernel's types.
std::unique_ptr<Provider> syscall_provider(bool ia32, std::string btf = "/sys/kernel/btf/vmlinux");
std::unique_ptr<Provider> profile_provider();

// Whether this kernel runs 32-bit programs.
bool kernel_runs_ia32();

}  // namespace dt::provider
