#include "kernel/tracefs.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "support/fd.h"

namespace dt::kernel {
namespace {

// Detached mounts came with Linux 5.2; the C library of this release has no
// functions for them.
Result<Fd> mount_unseen() {
  const Fd context(static_cast<int>(::syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC)));
  if (!context.valid()) return support::system_error("fsopen of tracefs", errno);
  if (::syscall(SYS_fsconfig, context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0) {
    return support::system_error("fsconfig of tracefs", errno);
  }
  Fd mount(static_cast<int>(::syscall(SYS_fsmount, context.get(), FSMOUNT_CLOEXEC, 0)));
  if (!mount.valid()) return support::system_error("fsmount of tracefs", errno);
  return mount;
}

Result<Fd> open_directory() {
  for (const char* path : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
    Fd directory(::open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (directory.valid() && ::faccessat(directory.get(), "available_events", F_OK, 0) == 0) {
      return directory;
    }
  }
  return mount_unseen();
}

}  // namespace

Result<std::string> read_tracefs(std::string_view file) {
  DT_ASSIGN(const Fd directory, open_directory());
  const std::string name(file);
  const Fd fd(::openat(directory.get(), name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return support::system_error("open tracefs " + name, errno);
  std::string text;
  std::string chunk(1 << 16, '\0');
  while (true) {
    const ssize_t got = ::read(fd.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return support::system_error("read tracefs " + name, errno);
    if (got == 0) return text;
    text.append(chunk, 0, static_cast<std::size_t>(got));
  }
}

}  // namespace dt::kernel
