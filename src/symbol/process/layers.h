#pragma once
// Overlay file systems, whose files are those of other file systems below: containers have their
// programs there. /proc/PID/maps shows the device of the overlay, and the kernel's inode of what is
// mapped has that of the layer.

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dt::symbol {

// The directories that an overlay is made of, by the text of /proc/PID/mountinfo; none if the
// device is not that of an overlay.
std::vector<std::string> layer_directories(std::string_view mountinfo, std::uint64_t device);

// The devices of those that can be found, each once. They are looked for where we are: what made
// the overlay has mostly named them by paths of the first mount namespace.
std::vector<std::uint64_t> layer_devices(pid_t pid, std::uint64_t device);

}  // namespace dt::symbol
