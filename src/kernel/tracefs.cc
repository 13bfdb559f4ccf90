#include "kernel/tracefs.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "support/fd.h"

namespace dt::kernel {
namespace {

struct FileSystem {
  const char* type;
  std::array<const char*, 2> places;  // where it is mounted as a rule
};
constexpr FileSystem kTracefs = {"tracefs", {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}};
constexpr FileSystem kDebugfs = {"debugfs", {"/sys/kernel/debug", "/debug"}};

// A mount of the file system that is attached nowhere: files are opened relative to its descriptor,
// no path leads to it, and it ends with its last descriptor. Nothing is left to unmount, even after
// SIGKILL. Detached mounts came with Linux 5.2; the C library of Debian 12 has no functions for
// them.
Result<Fd> mount_unseen(const FileSystem& system) {
  const auto failed = [&](const char* call) {
    return support::system_error(fmt::format("{} of {}", call, system.type), errno);
  };
  const Fd context(static_cast<int>(::syscall(SYS_fsopen, system.type, FSOPEN_CLOEXEC)));
  if (!context.valid()) return failed("fsopen");
  if (::syscall(SYS_fsconfig, context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0) {
    return failed("fsconfig");
  }
  Fd mount(static_cast<int>(::syscall(SYS_fsmount, context.get(), FSMOUNT_CLOEXEC, 0)));
  if (!mount.valid()) return failed("fsmount");
  return mount;
}

// The directory in which the file is. In a container, or without a mount, the usual places are
// empty directories, so the file itself must be there. Not by access(2), which asks for the real
// user and ignores the capabilities.
Result<Fd> open_event_directory(const FileSystem& system, const std::string& file) {
  bool is_forbidden = false;
  for (const char* path : system.places) {
    Fd directory(::open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
    struct stat found;
    if (directory.valid() && ::fstatat(directory.get(), file.c_str(), &found, 0) == 0) {
      return directory;
    }
    is_forbidden = is_forbidden || errno == EACCES;
  }
  Result<Fd> mount = mount_unseen(system);
  if (!mount.ok() && is_forbidden) {
    return support::system_error(fmt::format("open {} {}", system.type, file), EACCES);
  }
  return mount;
}

Result<Fd> open(const FileSystem& system, std::string_view file, int flags) {
  const std::string name(file);
  DT_ASSIGN(const Fd directory, open_event_directory(system, name));
  Fd fd(::openat(directory.get(), name.c_str(), flags | O_CLOEXEC));
  if (!fd.valid()) {
    return support::system_error(fmt::format("open {} {}", system.type, name), errno);
  }
  return fd;
}

Result<std::string> read(const FileSystem& system, std::string_view file) {
  DT_ASSIGN(const Fd fd, open(system, file, O_RDONLY));
  std::string text;
  std::string chunk(1 << 16, '\0');
  while (true) {
    const ssize_t got = ::read(fd.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return support::system_error(fmt::format("read {} {}", system.type, file), errno);
    if (got == 0) return text;
    text.append(chunk, 0, static_cast<std::size_t>(got));
  }
}

}  // namespace

Result<std::string> read_tracefs(std::string_view file) { return read(kTracefs, file); }

Result<Fd> open_tracefs(std::string_view file, int flags) { return open(kTracefs, file, flags); }

Result<std::string> read_debugfs(std::string_view file) { return read(kDebugfs, file); }

}  // namespace dt::kernel
