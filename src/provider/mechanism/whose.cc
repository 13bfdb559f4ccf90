// See whose.h.

#include "provider/mechanism/whose.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include "probe/probe.h"
#include "symbol/process/object_path.h"

namespace dt::provider {

// What ends with a star means all that begins as what it means, and so all numbers when
// it means those of one digit.
bool means_all(std::string_view pattern, std::string_view stem) {
  if (!pattern.ends_with('*') || pattern.ends_with("\\*")) return false;
  for (char digit = '1'; digit <= '9'; ++digit) {
    if (!probe::glob_match(pattern, std::string(stem) + digit)) return false;
  }
  return true;
}

// Containers of one image see the same file through layers (overlayfs), each with a
// device of its own; what the layer below says of it is the same.
bool SharedFiles::is_same(const File& a, const File& b) {
  const auto is_same_time = [](const timespec& x, const timespec& y) {
    return x.tv_sec == y.tv_sec && x.tv_nsec == y.tv_nsec;
  };
  return a.status.st_ino == b.status.st_ino &&
         (a.status.st_dev == b.status.st_dev ||
          ((a.is_layered || b.is_layered) && a.status.st_size == b.status.st_size &&
           is_same_time(a.status.st_mtim, b.status.st_mtim) &&
           is_same_time(a.status.st_ctim, b.status.st_ctim)));
}

std::optional<std::string> SharedFiles::path(const symbol::ProcessObject& object) {
  const std::string own = symbol::path_of(object);
  File file{Fd(::open(own.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)), {}, false};
  struct statfs system {};
  if (!file.fd.valid() || ::fstat(file.fd.get(), &file.status) != 0) return std::nullopt;
  file.is_layered = ::fstatfs(file.fd.get(), &system) == 0 &&
                    system.f_type == static_cast<decltype(system.f_type)>(OVERLAYFS_SUPER_MAGIC);
  const auto text = [](const File& one) { return fmt::format("/proc/self/fd/{}", one.fd.get()); };
  for (const File& one : files_) {
    if (is_same(one, file)) return text(one);
  }
  files_.push_back(std::move(file));
  return text(files_.back());
}

}  // namespace dt::provider
