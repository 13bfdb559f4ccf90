#pragma once
// What was stripped off a file: by the identity that the linker gave both, by name
// and checksum (.gnu_debuglink), or, of symbols, within the file (mini_debug.h).

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "symbol/elf/file.h"

namespace dt::symbol {

class Debuginfod;

constexpr std::string_view kDebugDirectory = "/usr/lib/debug";

// "/usr/lib/debug/.build-id/ab/cdef.debug"; empty for what is no identity.
std::string path_of_build_id(const std::string& id);
std::string directory_of(const std::string& path);

// The first of these that opens and is the one that is meant; each is tried in
// the process's root directory, then in ours.
std::optional<ElfFile> first_file(const std::vector<std::string>& paths, const std::string& root,
                                  const std::function<bool(const ElfFile&)>& is_it);

// What was stripped off `elf`, the file at `path`, when it has `section`. Servers are
// asked last, but for what was left within the file; `servers` may be null.
std::optional<ElfFile> find_debug_file(const ElfFile& elf, const std::string& path,
                                       const std::string& root, std::string_view section,
                                       Debuginfod* servers = nullptr);

// What the debugging information in `debug`, the file at `path`, shares with that of
// others (dwz, .gnu_debugaltlink); nullopt when it shares nothing, or that is missing.
std::optional<ElfFile> find_shared_file(const ElfFile& debug, const std::string& path,
                                        const std::string& root);

}  // namespace dt::symbol
