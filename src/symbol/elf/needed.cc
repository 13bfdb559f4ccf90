// See needed.h.

#include "symbol/elf/needed.h"

#include <elf.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

namespace dt::symbol {
namespace {

constexpr std::string_view kSystem[] = {"/lib/x86_64-linux-gnu",
                                        "/usr/lib/x86_64-linux-gnu",
                                        "/lib64",
                                        "/usr/lib64",
                                        "/lib",
                                        "/usr/lib",
                                        "/usr/local/lib"};
constexpr std::size_t kMaxLibraries = 512;
constexpr std::uint64_t kMaxNeededBytes = 16 << 20;

// What stands in .dynamic by a tag, as texts.
std::vector<std::string> texts(const ElfFile& elf, std::int64_t tag) {
  std::vector<std::string> found;
  const Result<ElfFile::Bytes> dynamic = elf.section(".dynamic", kMaxNeededBytes);
  const Result<ElfFile::Bytes> names = elf.section(".dynstr", kMaxNeededBytes);
  if (!dynamic.ok() || !names.ok()) return found;
  for (std::size_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic->size(); at += sizeof(Elf64_Dyn)) {
    Elf64_Dyn entry;
    std::memcpy(&entry, dynamic->data() + at, sizeof entry);
    if (entry.d_tag == DT_NULL || found.size() == kMaxLibraries) break;
    if (entry.d_tag != tag || entry.d_un.d_val >= names->size()) continue;
    const auto start = names->begin() + static_cast<std::ptrdiff_t>(entry.d_un.d_val);
    found.emplace_back(start, std::find(start, names->end(), 0));
  }
  return found;
}

bool is_regular(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

std::vector<std::string> needed_names(const ElfFile& elf) { return texts(elf, DT_NEEDED); }

std::vector<std::string> directories_of(const std::string& list, const std::string& origin) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(':', at), list.size());
    std::string one = list.substr(at, end - at);
    for (const std::string_view word : {"$ORIGIN", "${ORIGIN}"}) {
      if (const std::size_t place = one.find(word); place != std::string::npos) {
        one.replace(place, word.size(), origin);
      }
    }
    if (one.starts_with('/')) out.push_back(std::move(one));
    at = end + 1;
  }
  return out;
}

std::vector<std::string> library_directories(const ElfFile& elf, const std::string& directory) {
  std::vector<std::string> directories;
  for (const std::int64_t tag : {DT_RUNPATH, DT_RPATH}) {
    for (const std::string& list : texts(elf, tag)) {
      for (std::string& one : directories_of(list, directory))
        directories.push_back(std::move(one));
    }
  }
  directories.insert(directories.end(), std::begin(kSystem), std::end(kSystem));
  return directories;
}

// As the dynamic linker searches, but breadth first and without its cache: a wrong guess costs the
// tables of a file that is not used. `names` grows while it is read.
std::vector<std::string> needed_libraries(const ElfFile& elf, const std::string& directory,
                                          const std::string& root) {
  const std::vector<std::string> directories = library_directories(elf, directory);
  std::vector<std::string> found;
  std::vector<std::string> names = needed_names(elf);
  std::set<std::string> seen(names.begin(), names.end());
  for (std::size_t i = 0; i < names.size() && i < kMaxLibraries; ++i) {
    if (names[i].find('/') != std::string::npos) continue;
    for (const std::string& where : directories) {
      const std::string path = fmt::format("{}{}/{}", root, where, names[i]);
      if (!is_regular(path)) continue;
      found.push_back(path);
      if (const auto library = ElfFile::open(path); library.ok()) {
        for (std::string& next : needed_names(*library)) {
          if (seen.insert(next).second) names.push_back(std::move(next));
        }
      }
      break;
    }
  }
  return found;
}

}  // namespace dt::symbol
