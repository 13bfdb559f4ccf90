// See seen_files.h.

#include "symbol/resolve/seen_files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/magic.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

namespace dt::symbol {
namespace {

constexpr std::size_t kMaxFiles = 256;
constexpr std::size_t kMaxEditions = 8192;
// Files are held so long, and the time that may go into reading some of them.
constexpr auto kHold = std::chrono::seconds(3);
constexpr auto kSettle = std::chrono::milliseconds(20);

// btrfs gives files other device numbers than it says of their mappings.
bool is_on_device(const Fd& fd, const struct stat& status, std::uint64_t device) {
  struct statfs system = {};
  return status.st_dev == device ||
         (::fstatfs(fd.get(), &system) == 0 && system.f_type == BTRFS_SUPER_MAGIC);
}

}  // namespace

// Most of what we may open is for others.
std::size_t SeenFiles::most_open() {
  rlimit limit = {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return std::min<std::size_t>(kMaxFiles, limit.rlim_cur / 4);
}

// As the process sees it, also when the file has been deleted; then by path in its
// root directory, then in ours, if it is the same file.
Fd SeenFiles::open(std::int32_t pid, const Mapping& mapping) {
  const std::string candidates[] = {
      fmt::format("/proc/{}/map_files/{:x}-{:x}", pid, mapping.begin, mapping.end),
      fmt::format("/proc/{}/root{}", pid, mapping.path),
      mapping.path,
  };
  for (const std::string& path : candidates) {
    Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    lacks_files_ |= !fd.valid() && (errno == EMFILE || errno == ENFILE);
    struct stat status {};
    if (fd.valid() && ::fstat(fd.get(), &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_ino == mapping.inode &&
        (&path != &candidates[2] || is_on_device(fd, status, mapping.device))) {
      return fd;
    }
  }
  return {};
}

// Where the file is now, without opening it.
std::optional<SeenFiles::Content> SeenFiles::look_at(std::int32_t pid, const Mapping& mapping) {
  for (const std::string& path :
       {fmt::format("/proc/{}/root{}", pid, mapping.path), mapping.path}) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && status.st_ino == mapping.inode) {
      return Content{status};
    }
  }
  return std::nullopt;
}

void SeenFiles::date(Mapping& mapping, std::int32_t pid) {
  if (editions_.size() >= kMaxEditions) {
    editions_.clear();
  }
  Edition& edition = editions_[{mapping.device, mapping.inode, mapping.generation, 0}];
  const std::optional<Content> content = look_at(pid, mapping);
  if (content && edition.number != 0 && *content != edition.content) {
    edition.number = ++last_edition_;
  }
  edition.number = edition.number == 0 ? ++last_edition_ : edition.number;
  edition.content = content.value_or(edition.content);
  mapping.edition = edition.number;
}

void SeenFiles::learn(const Mapping& mapping, std::int32_t pid) {
  if (const std::optional<Content> content = keep(pid, mapping)) {
    editions_[{mapping.device, mapping.inode, mapping.generation, 0}].content = *content;
  }
  while (held_.size() > most_files_) {
    files_.erase(held_.front());
    held_.pop_front();
  }
}

void SeenFiles::hold(std::int32_t pid, const Mapping& mapping) { keep(pid, mapping); }

// What it was then; empty when it is kept already, has been read, or there is no way to it.
std::optional<SeenFiles::Content> SeenFiles::keep(std::int32_t pid, const Mapping& mapping) {
  const ObjectKey key = key_of(mapping);
  if (files_.contains(key) || is_read_(key)) {
    return std::nullopt;
  }
  Fd fd = open(pid, mapping);
  struct stat status {};
  if (!fd.valid() || ::fstat(fd.get(), &status) != 0) {
    return std::nullopt;
  }
  files_.emplace(key, Seen{std::move(fd), Content{status}, Life::Clock::now()});
  held_.push_back(key);
  return Content{status};
}

Fd SeenFiles::take(std::int32_t pid, const Mapping& mapping) {
  auto held = files_.extract(key_of(mapping));
  Fd fd = held.empty() ? open(pid, mapping) : std::move(held.mapped().fd);
  struct stat status {};
  if (!fd.valid() || ::fstat(fd.get(), &status) != 0) {
    return {};
  }
  if (!held.empty() && Content{status} != held.mapped().content) {
    return {};  // something else has been written over it
  }
  if (held.empty() && mapping.edition != 0) {
    const auto edition = editions_.find({mapping.device, mapping.inode, mapping.generation, 0});
    if (edition == editions_.end() || edition->second.number != mapping.edition ||
        edition->second.content != Content{status}) {
      return {};
    }
  }
  return fd;
}

void SeenFiles::settle(const std::function<void(const ObjectKey& key)>& last) {
  const auto now = Life::Clock::now();
  while (!held_.empty() && Life::Clock::now() - now < kSettle) {
    const ObjectKey key = held_.front();
    const auto file = files_.find(key);
    if (file != files_.end() && now - file->second.since < kHold) {
      return;
    }
    held_.pop_front();
    last(key);
    files_.erase(key);
  }
}

}  // namespace dt::symbol
