// See file.h.

#include "recording/file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <utility>

#include "recording/format.h"

namespace dt::recording {
namespace {

// Locked as long as it is open. On a file system without locks it is not.
Fd create(const std::string& name) {
  Fd fd(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (fd.valid()) static_cast<void>(::flock(fd.get(), LOCK_EX | LOCK_NB));
  return fd;
}

bool is_being_written(const std::string& name) {
  const Fd fd(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  return fd.valid() && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

enum class Present : std::uint8_t { kNothing, kEmpty, kRecording, kOther };

// Never through a symbolic link, and never waiting for a writer of a FIFO.
Present what_is(const std::string& name) {
  const Fd fd(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  char magic[kMagic.size()] = {};
  if (::lstat(name.c_str(), &status) != 0) return Present::kNothing;
  if (!fd.valid() || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return Present::kOther;
  }
  if (status.st_size == 0) return Present::kEmpty;
  const bool has_magic =
      ::read(fd.get(), magic, sizeof magic) == static_cast<ssize_t>(sizeof magic) &&
      std::string_view(magic, sizeof magic) == kMagic;
  return has_magic ? Present::kRecording : Present::kOther;
}

// An empty file, as mktemp(1) makes it, is not worth what the older one may have.
Result<bool> move_away(const std::string& name) {
  const std::string old = name + ".old";
  const Present present = what_is(name);
  for (const auto& [file, what] : {std::pair(name, present), std::pair(old, what_is(old))}) {
    if (what == Present::kOther && (present != Present::kEmpty || file == name)) {
      return Error::of(fmt::format("'{}' is there, and no recording", file),
                       "only a recording is replaced; remove the file, or name another one");
    }
  }
  if (is_being_written(name)) {
    return Error::of(fmt::format("'{}' is being written by another dtrace", name),
                     "name another file");
  }
  if (present == Present::kEmpty) {
    if (::unlink(name.c_str()) == 0) return false;
    return support::system_error(fmt::format("failed to remove '{}'", name), errno);
  }
  if (::rename(name.c_str(), old.c_str()) == 0) return true;
  return support::system_error(fmt::format("failed to rename '{0}' to '{0}.old'", name), errno);
}

}  // namespace

Result<NewFile> create_file(const std::string& name) {
  NewFile made{create(name)};
  if (!made.fd.valid() && errno == EEXIST) {
    DT_ASSIGN(made.has_replaced, move_away(name));
    made.fd = create(name);
  }
  if (made.fd.valid()) return made;
  return support::system_error(fmt::format("failed to create '{}'", name), errno);
}

void remove_file(const std::string& name, bool has_replaced) {
  ::unlink(name.c_str());
  if (has_replaced) static_cast<void>(::rename((name + ".old").c_str(), name.c_str()));
}

const char* why_cut(const std::string& name) {
  return is_being_written(name) ? "it is still being written" : "it is cut off there";
}

Status can_take_out(int fd) {
  // Behind the end there is nothing.
  constexpr off_t kFar = off_t{1} << 40;
  if (::fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, kFar, kSegmentAlign) == 0)
    return {};
  Error error = support::system_error(
      "recordsize needs a file system that can take bytes out of a file", errno);
  error.remedy = "ext4, XFS, Btrfs and tmpfs can";
  return error;
}

Result<std::uint64_t> take_out(int fd, std::uint64_t begin, std::uint64_t end) {
  const auto at = static_cast<off_t>(begin);
  const auto length = static_cast<off_t>(end - begin);
  // ext4 and XFS.
  if (::fallocate(fd, FALLOC_FL_COLLAPSE_RANGE, at, length) == 0) {
    if (::lseek(fd, 0, SEEK_END) >= 0) return end - begin;
  } else if (::fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, length) == 0) {
    return std::uint64_t{0};
  }
  return support::system_error("failed to remove what is old", errno);
}

}  // namespace dt::recording
