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
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "support/fd.h"
#include "support/thread.h"
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

// What may be a file, or a link to one.
std::vector<Candidate> entries_in(DIR* directory) {
  std::vector<Candidate> all;
  while (all.size() < kMaxEntriesLooked) {
    const dirent* const entry = ::readdir(directory);
    if (entry == nullptr) break;
    if (entry->d_type == DT_REG || entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN) {
      all.push_back({entry->d_name, {}});
    }
  }
  return all;
}

// A mode of 0 stands for what is not there any more.
void ask(int directory, std::span<Candidate> some) {
  for (Candidate& one : some) {
    if (::fstatat(directory, one.path.c_str(), &one.file, 0) != 0) one.file.st_mode = 0;
  }
}

// The kernel takes some microseconds for each file: for many, on all of some CPUs.
void ask_all(int directory, std::span<Candidate> all) {
  constexpr std::size_t kMostThreads = 4, kLeastEach = 128;
  const std::size_t cpus =
      std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostThreads);
  const std::size_t each = std::max(kLeastEach, (all.size() + cpus - 1) / cpus);
  std::vector<support::Thread> others;  // their ends are waited for where this ends
  while (all.size() > each) {
    const std::span<Candidate> some = all.first(each);
    auto other = support::Thread::start([directory, some] { ask(directory, some); });
    if (!other.ok()) break;
    others.push_back(std::move(*other));
    all = all.subspan(each);
  }
  ask(directory, all);
}

// Files that can be executed, each once. Most names of some directories are links to programs that
// have been seen already.
std::vector<Candidate> candidates_in(const std::string& where, DIR* directory, Known& known) {
  std::vector<Candidate> all = entries_in(directory), found;
  ask_all(::dirfd(directory), all);
  for (Candidate& one : all) {
    if (known.size() >= kMaxPrograms) break;
    if (S_ISREG(one.file.st_mode) && (one.file.st_mode & kAnyExecutes) != 0 &&
        known.emplace(one.file.st_dev, one.file.st_ino).second) {
      one.path = fmt::format("{}/{}", where, one.path);
      found.push_back(std::move(one));
    }
  }
  return found;
}

// What no other contents of a file have: whatever changes them changes st_ctim.
using Edition = std::array<std::uint64_t, 7>;
Edition edition_of(const struct stat& file) {
  const auto word = [](auto number) { return static_cast<std::uint64_t>(number); };
  return {word(file.st_dev),         word(file.st_ino),          word(file.st_size),
          word(file.st_mtim.tv_sec), word(file.st_mtim.tv_nsec), word(file.st_ctim.tv_sec),
          word(file.st_ctim.tv_nsec)};
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

// The editions of those that are known to lack the section, ascending: of a directory with many
// programs, where opening each of them takes longer than all else that a script does at its start.
std::vector<Edition> known_to_lack(const std::vector<Candidate>& all, DIR* directory,
                                   std::string_view section, const kernel::KeptPlaces& places) {
  std::vector<Edition> editions;
  struct stat where {};
  if (all.size() < kManyPrograms || ::fstat(::dirfd(directory), &where) != 0) return editions;
  const std::string name = fmt::format("without{}-{:x}-{:x}", section, where.st_dev, where.st_ino);
  const auto make = [&]() -> Result<std::string> {
    const std::int64_t now = ::time(nullptr);
    std::string text;
    for (const Candidate& one : all) {
      const bool is_settled = now - one.file.st_ctim.tv_sec > kSettled_s;
      if (!is_settled || !lacks(one.path, section)) continue;
      const Edition edition = edition_of(one.file);
      text.append(reinterpret_cast<const char*>(edition.data()), sizeof edition);
    }
    return text;
  };
  const Result<std::string> text = kernel::kept_text(name, make, places);
  if (!text.ok()) return editions;
  editions.resize(text->size() / sizeof(Edition));
  std::memcpy(editions.data(), text->data(), editions.size() * sizeof(Edition));
  std::sort(editions.begin(), editions.end());
  return editions;
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
    const std::vector<Edition> lacking = known_to_lack(all, directory.get(), section, places);
    for (const Candidate& one : all) {
      if (std::binary_search(lacking.begin(), lacking.end(), edition_of(one.file))) continue;
      if (auto object = with_section(one, section)) found.push_back(std::move(*object));
    }
  }
  return found;
}

}  // namespace dt::symbol
