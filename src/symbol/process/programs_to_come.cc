// See programs_to_come.h.

#include "symbol/process/programs_to_come.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "symbol/elf/file.h"

namespace dt::symbol {
namespace {

constexpr std::size_t kMaxPrograms = 32768;
constexpr std::size_t kMaxEntries = 65536;  // of a directory that are looked at
constexpr mode_t kAnyExecutes = S_IXUSR | S_IXGRP | S_IXOTH;

}  // namespace

std::vector<ProcessObject> programs_to_come(std::string_view section) {
  const char* const path = std::getenv("PATH");
  std::string directories = path == nullptr ? "." : fmt::format(".:{}", path);
  std::vector<ProcessObject> found;
  std::set<std::pair<std::uint64_t, std::uint64_t>> known;
  for (std::string_view rest = directories; !rest.empty();) {
    const std::string where(rest.substr(0, rest.find(':')));
    rest.remove_prefix(std::min(rest.size(), where.size() + 1));
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(where.c_str()), ::closedir);
    for (std::size_t i = 0; directory != nullptr && i < kMaxEntries; ++i) {
      const dirent* const entry = ::readdir(directory.get());
      if (entry == nullptr) break;
      // Most names of some directories are links to programs that have been seen already.
      struct stat file {};
      if (::fstatat(::dirfd(directory.get()), entry->d_name, &file, 0) != 0 ||
          !S_ISREG(file.st_mode) || (file.st_mode & kAnyExecutes) == 0 ||
          !known.emplace(file.st_dev, file.st_ino).second) {
        continue;
      }
      ProcessObject object;
      object.path = fmt::format("{}/{}", where, entry->d_name);
      const Result<ElfFile> elf = ElfFile::open(object.path);
      if (!elf.ok() || !elf->has(section) || ::access(object.path.c_str(), X_OK) != 0) continue;
      object.device = file.st_dev;
      object.inode = file.st_ino;
      // A mapping has the name of the file, and not that of a link to it.
      if (char* const real = ::realpath(object.path.c_str(), nullptr); real != nullptr) {
        object.path = real;
        std::free(real);
      }
      object.name = object_name(object.path);
      object.open_path = object.path;
      found.push_back(std::move(object));
      if (known.size() == kMaxPrograms) return found;
    }
  }
  return found;
}

}  // namespace dt::symbol
