#pragma once
// What each provider's file gives to all.cc, and nothing else does.

#include <functional>
#include <memory>
#include <string>

#include "provider/provider.h"

namespace dt::provider {

std::unique_ptr<Provider> dtrace_provider();
// `ia32`: 32-bit tasks can exist here, and are told apart.
// `types`: the kernel's, which must outlive the provider.
std::unique_ptr<Provider> syscall_provider(bool ia32, const types::Catalog& types);
std::unique_ptr<Provider> profile_provider();
// The kernel's tracepoints under the name "sdt" or "rawtp". `types` gives their
// arguments and must outlive the provider; `read` gives the list of them.
using ReadEvents = std::function<Result<std::string>()>;
Result<std::string> read_available_events();
std::unique_ptr<Provider> tracepoint_provider(std::string name, types::Catalog& types,
                                              ReadEvents read = read_available_events);

// Whether this kernel runs 32-bit programs.
bool kernel_runs_ia32();

}  // namespace dt::provider
