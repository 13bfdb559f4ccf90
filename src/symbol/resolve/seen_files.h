#pragma once
// The files that processes map: a way to each is kept until it is known whether its symbols are
// needed, since the file may be deleted, written over or out of reach by then.

#include <sys/stat.h>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "kernel/process_events.h"
#include "support/fd.h"
#include "symbol/process/process.h"
#include "symbol/process/processes.h"

namespace dt::symbol {

// Device, inode, its generation, and the edition of the file.
using ObjectKey = std::array<std::uint64_t, 4>;
inline ObjectKey key_of(const Mapping& mapping) {
  return {mapping.device, mapping.inode, mapping.generation, mapping.edition};
}

class SeenFiles {
 public:
  // Whether the symbols of a file have been read, so that it need not be kept.
  using IsRead = std::function<bool(const ObjectKey& key)>;
  explicit SeenFiles(IsRead is_read) : is_read_(std::move(is_read)) {}

  // Gives the mapping of an event its edition: what was written over the file since is another
  // file to us.
  void date(Mapping& mapping, std::int32_t pid);
  // Keeps a dated mapping's file, which may be the last that there is room for.
  void learn(const Mapping& mapping, std::int32_t pid);
  // Keeps the file open, unless it is or has been read; does nothing when there is no way to it.
  void hold(std::int32_t pid, const Mapping& mapping);
  bool has_room() const { return held_.size() < most_files_; }
  bool holds(const ObjectKey& key) const { return files_.contains(key); }
  bool empty() const { return held_.empty(); }
  std::size_t most_files() const { return most_files_; }

  // The one that was mapped, and has not been written over since; invalid when there is no way to
  // it. It is kept no longer.
  Fd take(std::int32_t pid, const Mapping& mapping);

  // Closes files that have been open long enough, after a call of `last` for each. Takes a short
  // time only.
  void settle(const std::function<void(const ObjectKey& key)>& last);

  // Whether no more files can be open; once.
  bool take_shortage() { return std::exchange(lacks_files_, false); }

 private:
  // Tells editions of a file apart: writing to the file changes one of these.
  struct Content {
    off_t size = 0;
    timespec modified = {};

    Content() = default;
    explicit Content(const struct stat& status) : size(status.st_size), modified(status.st_mtim) {}
    bool operator==(const Content& other) const {
      return size == other.size && modified.tv_sec == other.modified.tv_sec &&
             modified.tv_nsec == other.modified.tv_nsec;
    }
  };
  struct Seen {
    Fd fd;
    Content content;
    Life::Clock::time_point since;
  };
  struct Edition {
    std::uint32_t number = 0;
    Content content;
  };

  static std::optional<Content> look_at(std::int32_t pid, const Mapping& mapping);
  Fd open(std::int32_t pid, const Mapping& mapping);
  std::optional<Content> keep(std::int32_t pid, const Mapping& mapping);

  IsRead is_read_;
  // Seen, and not read yet: they may be gone when they are asked for.
  std::map<ObjectKey, Seen> files_;
  std::deque<ObjectKey> held_;             // in the order in which they were seen
  std::map<ObjectKey, Edition> editions_;  // the last one of each file
  std::uint32_t last_edition_ = 0;
  const std::size_t most_files_ = most_open();
  bool lacks_files_ = false;

  static std::size_t most_open();
};

}  // namespace dt::symbol
