// See kept_directory.h.

#include "kernel/kept_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <memory>
#include <utility>
#include <vector>

#include "support/file.h"

namespace dt::kernel {
namespace {

constexpr mode_t kOthersMayWrite = S_IWGRP | S_IWOTH;
constexpr int kAsDirectory = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

bool is_ours_alone(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && status.st_uid == ::geteuid() &&
         (status.st_mode & kOthersMayWrite) == 0;
}

std::vector<std::string> names_in(const Fd& directory) {
  std::vector<std::string> names;
  const int fd = ::openat(directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> open(fd < 0 ? nullptr : ::fdopendir(fd), ::closedir);
  while (const dirent* const entry = open == nullptr ? nullptr : ::readdir(open.get())) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  return names;
}

}  // namespace

// What is checked is the descriptor, and files are opened relative to it. If the path were checked
// and then used, another user could exchange the directory between the two, and root would read as
// addresses of kernel functions what this user has written.
KeptDirectory::KeptDirectory(Fd directory) {
  if (directory.valid() && is_ours_alone(directory.get())) directory_ = std::move(directory);
}

KeptDirectory KeptDirectory::open(const std::string& path) {
  ::mkdir(path.c_str(), 0700);
  return KeptDirectory(Fd(::open(path.c_str(), kAsDirectory)));
}

KeptDirectory KeptDirectory::inner(const std::string& name) const {
  if (!valid()) return {};
  ::mkdirat(directory_.get(), name.c_str(), 0700);
  return KeptDirectory(Fd(::openat(directory_.get(), name.c_str(), kAsDirectory)));
}

bool KeptDirectory::has_room(std::uint64_t bytes) const {
  if (!valid() || ::faccessat(directory_.get(), ".", W_OK, AT_EACCESS) != 0) return false;
  struct statvfs status {};
  return ::fstatvfs(directory_.get(), &status) == 0 && status.f_bavail * status.f_frsize >= bytes;
}

Fd KeptDirectory::open_file(const std::string& name) const {
  if (!valid()) return Fd();
  Fd file(::openat(directory_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  return file.valid() && is_ours_alone(file.get()) ? std::move(file) : Fd();
}

std::optional<std::string> KeptDirectory::load(const std::string& name) const {
  const Fd file = open_file(name);
  if (!file.valid()) return std::nullopt;
  Result<std::string> bytes = support::read_file(file, name);
  return bytes.ok() ? std::optional(std::move(*bytes)) : std::nullopt;
}

// O_EXCL with O_NOFOLLOW: a link that another user has put there is not followed, as the open
// fails.
//
// Two that write at once may exchange their files: who loads one must see whether it is whole.
void KeptDirectory::store(const std::string& name,
                          std::initializer_list<std::string_view> parts) const {
  if (!valid()) return;
  const std::string own = name + ".new";
  ::unlinkat(directory_.get(), own.c_str(), 0);
  const Fd file(::openat(directory_.get(), own.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.valid()) return;
  bool is_whole = true;
  for (const std::string_view part : parts) {
    is_whole = is_whole && support::write_all(file, part);
  }
  if (!is_whole || ::renameat(directory_.get(), own.c_str(), directory_.get(), name.c_str()) != 0) {
    ::unlinkat(directory_.get(), own.c_str(), 0);
  }
}

std::uint64_t KeptDirectory::bytes() const {
  std::uint64_t sum = 0;
  for (const std::string& name : names_in(directory_)) {
    struct stat status {};
    if (::fstatat(directory_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
      sum += static_cast<std::uint64_t>(status.st_size);
    }
  }
  return sum;
}

void KeptDirectory::clear() const {
  for (const std::string& name : names_in(directory_)) {
    ::unlinkat(directory_.get(), name.c_str(), 0);
  }
}

}  // namespace dt::kernel
