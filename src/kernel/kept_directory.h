#pragma once
// A directory of files that only this user may write: what is kept for the next command.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "support/fd.h"

namespace dt::kernel {

class KeptDirectory {
 public:
  // Makes it when it is not there. It is not valid where that cannot be, or where others may write.
  static KeptDirectory open(const std::string& path);
  // A directory in it.
  KeptDirectory inner(const std::string& name) const;

  bool valid() const { return directory_.valid(); }
  // Whether files of so many bytes can be stored; a file system may be full, or read only.
  bool has_room(std::uint64_t bytes) const;
  // A file that no other user can have written; not valid without one.
  Fd open_file(const std::string& name) const;
  // The whole of a file that no other user can have written; nullopt without one.
  std::optional<std::string> load(const std::string& name) const;
  // A file of these parts, which appears whole, or not at all.
  void store(const std::string& name, std::initializer_list<std::string_view> parts) const;
  // What all its files take, and their end.
  std::uint64_t bytes() const;
  void clear() const;

 private:
  KeptDirectory() = default;
  explicit KeptDirectory(Fd directory);

  Fd directory_;
};

}  // namespace dt::kernel
