#pragma once
// The kernel's lockdown (kernel_lockdown(7)), which forbids root a part of what tracing needs.

#include <string>
#include <string_view>

namespace dt::kernel {

// The mode in force: "none", "integrity" or "confidentiality"; "" where the kernel has no lockdown,
// or does not tell it.
std::string lockdown_mode();
// The same, of the text of the file, which has the mode in brackets.
std::string_view parse_lockdown(std::string_view text);

}  // namespace dt::kernel
