#pragma once
// How much memory the system, and the memory cgroups of this process, can give without taking it
// from programs.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dt::runtime {

// Bytes, as /proc/meminfo and the cgroups say; all that can be addressed when they do not say.
std::uint64_t available_memory();

// The same from the text of /proc/meminfo.
std::optional<std::uint64_t> available_memory(std::string_view meminfo);

// The directory of a memory cgroup, and those of all above it, the inner ones first.
struct MemoryGroups {
  std::vector<std::string> directories;
  bool is_unified = false;  // version 2
};
// From the texts of /proc/self/cgroup and /proc/self/mountinfo; of a machine with both versions,
// that which has the memory.
MemoryGroups memory_groups(std::string_view cgroup, std::string_view mountinfo);
// What the groups still give, by the files there; caches of files count as given.
std::uint64_t available_in(const MemoryGroups& groups);

}  // namespace dt::runtime
