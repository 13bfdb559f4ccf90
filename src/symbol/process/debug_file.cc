// See debug_file.h.

#include "symbol/process/debug_file.h"

#include <fmt/core.h>

#include "symbol/elf/mini_debug.h"
#include "symbol/process/debuginfod.h"
#include "symbol/process/process.h"

namespace dt::symbol {

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string(".") : path.substr(0, slash);
}

std::string path_of_build_id(const std::string& id) {
  return id.size() < 3 ? std::string()
                       : fmt::format("{}/.build-id/{}/{}.debug", kDebugDirectory, id.substr(0, 2),
                                     id.substr(2));
}

std::optional<ElfFile> first_file(const std::vector<std::string>& paths, const std::string& root,
                                  const std::function<bool(const ElfFile&)>& is_it) {
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    // The process's own root directory first, as it may be a container with other versions of the
    // same paths.
    for (const std::string& before : {root, std::string()}) {
      Result<ElfFile> file = ElfFile::open(before + path);
      if (file.ok() && is_it(*file)) return std::move(*file);
      if (root.empty()) break;
    }
  }
  return std::nullopt;
}

// The order is that of certainty and cost: by the build id, which identifies the very build; by the
// name in .gnu_debuglink, with a checksum of the whole file; from a server; and last the symbols
// that are compressed in the file itself. A file is accepted only if its build id or its checksum
// agrees: a debug file of another build would give wrong names.
std::optional<ElfFile> find_debug_file(const ElfFile& elf, const std::string& path,
                                       const std::string& root, std::string_view section,
                                       Debuginfod* servers) {
  const std::string id = elf.build_id();
  auto found = first_file({path_of_build_id(id)}, root, [&](const ElfFile& file) {
    return file.has(section) && file.build_id() == id;
  });
  const ElfFile::DebugLink link = elf.debug_link();
  if (!found && !link.name.empty() && link.name.find('/') == std::string::npos) {
    const std::string directory = directory_of(path);
    found = first_file({directory + '/' + link.name, directory + "/.debug/" + link.name,
                        std::string(kDebugDirectory) + directory + '/' + link.name},
                       root, [&](const ElfFile& file) {
                         if (!file.has(section)) return false;
                         const std::optional<std::uint32_t> crc = file.crc();
                         return crc ? *crc == link.crc : !id.empty() && file.build_id() == id;
                       });
  }
  if (!found && servers != nullptr) {
    found = servers->fetch(id, object_name(path));
    if (found && !found->has(section)) found.reset();
  }
  if (found) return found;
  found = mini_debug_file(elf);
  return found && found->has(section) ? std::move(found) : std::nullopt;
}

std::optional<ElfFile> find_shared_file(const ElfFile& debug, const std::string& path,
                                        const std::string& root) {
  const ElfFile::AltLink link = debug.alt_link();
  if (link.path.empty()) return std::nullopt;
  const std::string named =
      link.path.starts_with('/') ? link.path : directory_of(path) + '/' + link.path;
  return first_file({named, path_of_build_id(link.build_id)}, root, [&](const ElfFile& one) {
    return one.has(".debug_info") && one.build_id() == link.build_id;
  });
}

}  // namespace dt::symbol
