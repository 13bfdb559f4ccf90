// See objects.h.

#include "symbol/objects.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <memory>

namespace dt::symbol {
namespace {

// "Z" in "State: Z (zombie)"; 0 when there is no such process.
char state_of(pid_t pid) {
  const std::string status = read_file(fmt::format("/proc/{}/status", pid), 4096);
  const std::size_t at = status.find("\nState:\t");
  return at == std::string::npos || at + 8 >= status.size() ? '\0' : status[at + 8];
}

// Of the program, as /proc/PID/maps has it too; empty for a thread of the kernel.
std::string program_path(pid_t pid) {
  std::array<char, 4096> path{};
  const ssize_t size =
      ::readlink(fmt::format("/proc/{}/exe", pid).c_str(), path.data(), path.size());
  return size <= 0 ? std::string() : std::string(path.data(), static_cast<std::size_t>(size));
}

// map_files leads to the mapped file itself; not every kernel and user has it.
std::string open_path_of(pid_t pid, const Mapping& mapping) {
  const std::string mapped =
      fmt::format("/proc/{}/map_files/{:x}-{:x}", pid, mapping.begin, mapping.end);
  struct stat file {};
  if (::stat(mapped.c_str(), &file) == 0) return mapped;
  return fmt::format("/proc/{}/root{}", pid, mapping.path);
}

}  // namespace

Result<std::vector<ProcessObject>> objects_of(pid_t pid) {
  const char state = state_of(pid);
  if (state == '\0' || state == 'Z' || state == 'X') {
    return support::system_error(fmt::format("process {}", pid), ESRCH);
  }
  const std::string path = fmt::format("/proc/{}/maps", pid);
  if (const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC); fd >= 0) {
    ::close(fd);
  } else {
    return support::system_error(path, errno == ENOENT ? ESRCH : errno);
  }
  const std::string program = program_path(pid);
  std::vector<ProcessObject> objects;
  for (Mapping& mapping : parse_maps(read_file(path, kMaxMapsBytes))) {
    if (mapping.inode == 0) continue;
    const auto known =
        std::find_if(objects.begin(), objects.end(), [&](const ProcessObject& object) {
          return object.device == mapping.device && object.inode == mapping.inode;
        });
    if (known != objects.end()) {
      known->mappings.push_back(std::move(mapping));
      continue;
    }
    ProcessObject object;
    object.path = mapping.path;
    object.name = object_name(mapping.path);
    object.open_path = open_path_of(pid, mapping);
    object.device = mapping.device;
    object.inode = mapping.inode;
    object.is_program = mapping.path == program;
    object.mappings.push_back(std::move(mapping));
    objects.push_back(std::move(object));
  }
  return objects;
}

std::vector<pid_t> all_processes() {
  std::vector<pid_t> pids;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir("/proc"), ::closedir);
  while (directory != nullptr) {
    const dirent* const entry = ::readdir(directory.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    pid_t pid = 0;
    const auto [stop, failure] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (failure == std::errc() && stop == name.data() + name.size()) pids.push_back(pid);
  }
  std::sort(pids.begin(), pids.end());
  return pids;
}

bool is_called(const ProcessObject& object, std::string_view name) {
  if (name.empty()) return false;
  if (object.name == name || object.path == name || (object.is_program && name == "a.out")) {
    return true;
  }
  if (!object.name.starts_with(name)) return false;
  const std::string_view rest = std::string_view(object.name).substr(name.size());
  return rest.starts_with(".so") ||
         (rest.size() > 1 && rest[0] == '-' && rest[1] >= '0' && rest[1] <= '9') ||
         (rest.size() > 1 && rest[0] == '.' && name.ends_with(".so"));
}

}  // namespace dt::symbol
