// See installed.h.

#include "provider/mechanism/installed.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/fd.h"
#include "symbol/process/process.h"

namespace dt::provider {

// Which instruction a breakpoint is does not matter: it is not what the file has there.
Status check_installed(pid_t pid, const std::string& path, std::uint64_t offset) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  const Fd memory(::open(fmt::format("/proc/{}/mem", pid).c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  std::uint8_t wanted = 0;
  if (!file.valid() || !memory.valid() || ::fstat(file.get(), &status) != 0 ||
      ::pread(file.get(), &wanted, 1, static_cast<off_t>(offset)) != 1) {
    return {};
  }
  std::string without;
  const auto maps = symbol::read_file(fmt::format("/proc/{}/maps", pid), symbol::kMaxMapsBytes);
  for (const symbol::Mapping& mapping : symbol::parse_maps(maps)) {
    if (mapping.device != status.st_dev || mapping.inode != status.st_ino ||
        offset < mapping.file_offset ||
        offset - mapping.file_offset >= mapping.end - mapping.begin) {
      continue;
    }
    std::uint8_t seen = 0;
    const auto at = static_cast<off_t>(mapping.begin + (offset - mapping.file_offset));
    if (::pread(memory.get(), &seen, 1, at) != 1) continue;
    if (seen != wanted) return {};
    without = mapping.path;
  }
  if (without.empty()) return {};
  return Error::of(
      fmt::format("process {} executes {} without the breakpoints of its probes", pid, without),
      "the file was changed on an overlay file system, or its code may be written by the process; "
      "start the program again");
}

}  // namespace dt::provider
