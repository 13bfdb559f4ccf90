// See programs_to_come.h.

#include "symbol/process/programs_to_come.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "support/fd.h"
#include "symbol/elf/file.h"

namespace dt::symbol {
namespace {

constexpr std::size_t kMaxPrograms = 32768;
constexpr std::size_t kMaxEntriesLooked = 65536;  // of a directory that are looked at
constexpr mode_t kAnyExecutes = S_IXUSR | S_IXGRP | S_IXOTH;
// Of a directory with so many programs it is kept which of them lack the section.
constexpr std::size_t kManyPrograms = 64;
// A file that was changed a moment ago may change again within the same tick of its time.
constexpr std::int64_t kSettled_s = 2;

struct Candidate {
  std::string path;
  struct stat file;
};

using Known = std::set<std::pair<std::uint64_t, std::uint64_t>>;

// Whether the directory is met for the first time. /bin is a link to /usr/bin today, and to look at
// a thousand files again takes milliseconds.
bool is_new(DIR* directory, Known& known) {
  struct stat where {};
  return ::fstat(::dirfd(directory), &where) != 0 ||
         known.emplace(where.st_dev, where.st_ino).second;
}

// Files that can be executed, each once. Most names of some directories are links to programs that
// have been seen already.
std::vector<Candidate> candidates_in(const std::string& where, DIR* directory, Known& known) {
  std::vector<Candidate> found;
  for (std::size_t i = 0; i < kMaxEntriesLooked && known.size() < kMaxPrograms; ++i) {
    const dirent* const entry = ::readdir(directory);
    if (entry == nullptr) break;
    Candidate one{fmt::format("{}/{}", where, entry->d_name), {}};
    if (::fstatat(::dirfd(directory), entry->d_name, &one.file, 0) == 0 &&
        S_ISREG(one.file.st_mode) && (one.file.st_mode & kAnyExecutes) != 0 &&
        known.emplace(one.file.st_dev, one.file.st_ino).second) {
      found.push_back(std::move(one));
    }
  }
  return found;
}

// A line that no other contents of a file have: whatever changes them changes st_ctim.
std::string line_of(const struct stat& file) {
  return fmt::format("{} {} {} {}.{:09} {}.{:09}\n", file.st_dev, file.st_ino, file.st_size,
                     file.st_mtim.tv_sec, file.st_mtim.tv_nsec, file.st_ctim.tv_sec,
                     file.st_ctim.tv_nsec);
}

// Whether its contents, which could be read, are no ELF or lack the section.
bool lacks(const std::string& path, std::string_view section) {
  if (const Result<ElfFile> elf = ElfFile::open(path); elf.ok()) return !elf->has(section);
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, SELFMAG> magic{};
  return file.valid() &&
         ::pread(file.get(), magic.data(), magic.size(), 0) == static_cast<ssize_t>(magic.size()) &&
         std::memcmp(magic.data(), ELFMAG, SELFMAG) != 0;
}

// The lines of those that are known to lack the section: of a directory with many programs, where
// opening each of them takes longer than all else that a script does at its start.
std::unordered_set<std::string> known_to_lack(const std::vector<Candidate>& all, DIR* directory,
                                              std::string_view section,
                                              const kernel::KeptPlaces& places) {
  std::unordered_set<std::string> lines;
  struct stat where {};
  if (all.size() < kManyPrograms || ::fstat(::dirfd(directory), &where) != 0) return lines;
  const std::string name = fmt::format("programs{}-{:x}-{:x}", section, where.st_dev, where.st_ino);
  const auto make = [&]() -> Result<std::string> {
    const std::int64_t now = ::time(nullptr);
    std::string text;
    for (const Candidate& one : all) {
      const bool is_settled = now - one.file.st_ctim.tv_sec > kSettled_s;
      if (is_settled && lacks(one.path, section)) text += line_of(one.file);
    }
    return text;
  };
  const Result<std::string> text = kernel::kept_text(name, make, places);
  for (std::size_t at = 0; text.ok() && at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size() - 1) + 1;
    lines.insert(text->substr(at, end - at));
    at = end;
  }
  return lines;
}

std::optional<ProcessObject> with_section(const Candidate& one, std::string_view section) {
  const Result<ElfFile> elf = ElfFile::open(one.path);
  if (!elf.ok() || !elf->has(section) || ::access(one.path.c_str(), X_OK) != 0) return std::nullopt;
  ProcessObject object;
  object.path = one.path;
  object.device = one.file.st_dev;
  object.inode = one.file.st_ino;
  // A mapping has the name of the file, and not that of a link to it.
  if (char* const real = ::realpath(one.path.c_str(), nullptr); real != nullptr) {
    object.path = real;
    std::free(real);
  }
  object.name = object_name(object.path);
  object.open_path = object.path;
  return object;
}

}  // namespace

std::vector<ProcessObject> programs_to_come(std::string_view section,
                                            const kernel::KeptPlaces& places) {
  const char* const path = std::getenv("PATH");
  std::string directories = path == nullptr ? "." : fmt::format(".:{}", path);
  std::vector<ProcessObject> found;
  Known known, known_directories;
  for (std::string_view rest = directories; !rest.empty();) {
    const std::string where(rest.substr(0, rest.find(':')));
    rest.remove_prefix(std::min(rest.size(), where.size() + 1));
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(where.c_str()), ::closedir);
    if (directory == nullptr || !is_new(directory.get(), known_directories)) continue;
    const std::vector<Candidate> all = candidates_in(where, directory.get(), known);
    const auto lacking = known_to_lack(all, directory.get(), section, places);
    for (const Candidate& one : all) {
      if (lacking.contains(line_of(one.file))) continue;
      if (auto object = with_section(one, section)) found.push_back(std::move(*object));
    }
  }
  return found;
}

}  // namespace dt::symbol
