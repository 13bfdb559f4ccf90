#pragma once
// tracefs, the kernel's directory of tracepoints, and debugfs. They need not be
// mounted: where one is not, a mount of our own is made that no other process sees
// and that ends with its descriptor.

#include <string>
#include <string_view>

#include "support/fd.h"
#include "support/result.h"

namespace dt::kernel {

// The text of a file of tracefs ("available_events").
Result<std::string> read_tracefs(std::string_view file);

// A file of it, opened with `flags` (O_WRONLY).
Result<Fd> open_tracefs(std::string_view file, int flags);

// The text of a file of debugfs ("kprobes/blacklist").
Result<std::string> read_debugfs(std::string_view file);

}  // namespace dt::kernel
