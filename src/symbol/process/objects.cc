// See objects.h.
//
// An object of a process has several names: "libc" for "libc.so.6", "a.out" for the program itself,
// and its path. In a process, an object is known by device and inode: two paths can be one file,
// and one path two files, in the root directories of different containers.

#include "symbol/process/objects.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <memory>

#include "support/fd.h"
#include "support/file.h"
#include "symbol/elf/file.h"
#include "symbol/elf/needed.h"

namespace dt::symbol {
namespace {

constexpr std::size_t kMaxEnvironment = 4 << 20;
constexpr std::size_t kMaxEntries = 65536;  // of a directory that are looked at

// "Z" in "State: Z (zombie)"; 0 when there is no such process.
char state_of(pid_t pid) {
  const std::string status = read_file(fmt::format("/proc/{}/status", pid), 4096);
  const std::size_t at = status.find("\nState:\t");
  return at == std::string::npos || at + 8 >= status.size() ? '\0' : status[at + 8];
}

std::string link_text(const std::string& link) {
  std::array<char, 4096> path{};
  const ssize_t size = ::readlink(link.c_str(), path.data(), path.size());
  return size <= 0 ? std::string() : std::string(path.data(), static_cast<std::size_t>(size));
}

// Of the program, as /proc/PID/maps has it too; empty for a thread of the kernel.
std::string program_path(pid_t pid) { return link_text(fmt::format("/proc/{}/exe", pid)); }

// NAME=value of the process; empty without it.
std::string environment_of(pid_t pid, std::string_view name) {
  const std::string all = read_file(fmt::format("/proc/{}/environ", pid), kMaxEnvironment);
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\0', at), all.size());
    const std::string_view one = std::string_view(all).substr(at, end - at);
    if (one.starts_with(name) && one.substr(name.size()).starts_with('=')) {
      return std::string(one.substr(name.size() + 1));
    }
    at = end + 1;
  }
  return {};
}

// Where files may be that the process maps later, as it sees them.
std::vector<std::string> directories_to_come(pid_t pid) {
  const std::string program = program_path(pid);
  const std::string own = program.substr(0, program.rfind('/'));
  std::vector<std::string> all = directories_of(environment_of(pid, "LD_LIBRARY_PATH"), own);
  const auto add = [&all](std::vector<std::string> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
  };
  std::vector<std::string> system;
  if (const auto elf = ElfFile::open(fmt::format("/proc/{}/exe", pid)); elf.ok()) {
    system = library_directories(*elf, own);
  }
  add({own, link_text(fmt::format("/proc/{}/cwd", pid))});
  add(std::move(system));
  add(directories_of(environment_of(pid, "PATH"), own));
  return all;
}

std::string map_file_of(pid_t pid, const Mapping& mapping) {
  return fmt::format("/proc/{}/map_files/{:x}-{:x}", pid, mapping.begin, mapping.end);
}

// map_files leads to the mapped file itself; not every kernel and user has it. The kernel decides
// that by process, so one mapping tells it for all.
bool has_map_files(pid_t pid, const std::vector<Mapping>& mappings) {
  return std::any_of(mappings.begin(), mappings.end(), [&](const Mapping& one) {
    struct stat file {};
    return one.inode != 0 && ::stat(map_file_of(pid, one).c_str(), &file) == 0;
  });
}

// The first kMaxEntries names in a directory.
std::vector<std::string> entries_of(const std::string& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(path.c_str()), ::closedir);
  std::vector<std::string> entries;
  while (directory != nullptr && entries.size() < kMaxEntries) {
    const dirent* const entry = ::readdir(directory.get());
    if (entry == nullptr) break;
    entries.emplace_back(entry->d_name);
  }
  return entries;
}

// Opens the file of an object that is not mapped yet, and finds its identity. False
// if it is not an ELF file.
bool identify(ProcessObject& object) {
  const Fd fd(::open(object.open_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat file {};
  std::array<char, SELFMAG> magic{};
  if (!fd.valid() || ::fstat(fd.get(), &file) != 0 || !S_ISREG(file.st_mode) ||
      ::pread(fd.get(), magic.data(), magic.size(), 0) != SELFMAG ||
      std::memcmp(magic.data(), ELFMAG, SELFMAG) != 0) {
    return false;
  }
  object.device = file.st_dev;
  object.inode = file.st_ino;
  // A mapping has the name of the file, and not that of a link to it.
  object.name = object_name(link_text(fmt::format("/proc/self/fd/{}", fd.get())));
  return true;
}

void add_new(std::vector<ProcessObject>& all, ProcessObject object) {
  const auto is_same = [&](const ProcessObject& one) {
    return one.device == object.device && one.inode == object.inode;
  };
  if (std::none_of(all.begin(), all.end(), is_same)) all.push_back(std::move(object));
}

std::string maps_of(pid_t pid) { return fmt::format("/proc/{}/maps", pid); }

std::vector<ProcessObject> objects_in(pid_t pid, const std::string& maps) {
  const std::string program = program_path(pid);
  std::vector<ProcessObject> objects;
  std::vector<Mapping> mappings = parse_maps(maps);
  const bool has_files = has_map_files(pid, mappings);
  for (Mapping& mapping : mappings) {
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
    object.open_path =
        has_files ? map_file_of(pid, mapping) : fmt::format("/proc/{}/root{}", pid, mapping.path);
    object.device = mapping.device;
    object.inode = mapping.inode;
    object.is_program = mapping.path == program;
    object.mappings.push_back(std::move(mapping));
    objects.push_back(std::move(object));
  }
  return objects;
}

}  // namespace

Result<std::vector<ProcessObject>> objects_of(pid_t pid) {
  const std::string path = maps_of(pid);
  const std::string maps = read_file(path, kMaxMapsBytes);
  if (!maps.empty()) return objects_in(pid, maps);
  // A thread of the kernel has no mappings; nor has a process that has ended or cannot be looked
  // at.
  const char state = state_of(pid);
  if (state == '\0' || state == 'Z' || state == 'X') {
    return support::system_error(fmt::format("process {}", pid), ESRCH);
  }
  if (const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)); !fd.valid()) {
    return support::system_error(path, errno == ENOENT ? ESRCH : errno);
  }
  return std::vector<ProcessObject>();
}

std::vector<ProcessObject> objects_to_come(pid_t pid, std::string_view name) {
  std::vector<ProcessObject> found;
  if (name.empty() || name == "a.out" || name.find('/') != name.npos) return found;
  const std::string root = fmt::format("/proc/{}/root", pid);
  for (const std::string& where : directories_to_come(pid)) {
    for (const std::string& entry : entries_of(root + where)) {
      ProcessObject object;
      object.name = entry;
      if (!is_called(object, name)) continue;
      object.path = fmt::format("{}/{}", where, entry);
      object.open_path = root + object.path;
      if (identify(object)) add_new(found, std::move(object));
    }
    if (!found.empty()) break;
  }
  return found;
}

std::optional<ProcessObject> object_at(const std::string& path) {
  ProcessObject object;
  object.path = object.open_path = path;
  if (!identify(object)) return std::nullopt;
  object.name = path;
  return object;
}

std::vector<ProcessObject> kept_objects(pid_t pid) {
  constexpr std::string_view kWhere = "/tmp", kDirectory = "dtrace-probes-";
  std::vector<ProcessObject> found;
  const std::string root = fmt::format("/proc/{}/root", pid);
  for (const std::string& directory : entries_of(root + std::string(kWhere))) {
    if (!directory.starts_with(kDirectory)) continue;
    const std::string where = fmt::format("{}/{}", kWhere, directory);
    for (const std::string& entry : entries_of(root + where)) {
      if (entry.starts_with('.')) continue;
      ProcessObject object;
      object.path = fmt::format("{}/{}", where, entry);
      object.open_path = root + object.path;
      if (identify(object)) add_new(found, std::move(object));
    }
  }
  return found;
}

std::vector<pid_t> all_processes() { return support::numbers_in("/proc"); }

const std::vector<pid_t>& ObjectsOnce::processes() {
  if (!processes_) processes_ = all_processes();
  return *processes_;
}

const std::vector<ProcessObject>& ObjectsOnce::of(pid_t pid) {
  const auto [it, is_new] = objects_.try_emplace(pid);
  if (!is_new) return it->second;
  // Most of the processes of a machine are threads of the kernel: why there are no mappings is not
  // asked.
  const std::string maps = read_file(maps_of(pid), kMaxMapsBytes);
  if (!maps.empty()) it->second = objects_in(pid, maps);
  return it->second;
}

const std::vector<ProcessObject>& ObjectsOnce::to_come(pid_t pid, const std::string& name) {
  const auto [it, is_new] = to_come_.try_emplace({pid, name});
  if (is_new) it->second = objects_to_come(pid, name);
  return it->second;
}

const std::vector<ProcessObject>& ObjectsOnce::kept(pid_t pid) {
  const auto [it, is_new] = kept_.try_emplace(pid);
  if (is_new) it->second = kept_objects(pid);
  return it->second;
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
