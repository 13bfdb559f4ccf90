// See d_libraries.h.

#include "api/language/d_libraries.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "api/options/installed.h"
#include "runtime/machine.h"
#include "support/diagnostics.h"
#include "support/file.h"

namespace dt::api {
namespace {

constexpr std::size_t kMaxLibraryFiles = 1024;

// The names of the *.d files of a directory, sorted.
Result<std::vector<std::string>> library_names(const std::string& directory) {
  DIR* const dir = ::opendir(directory.c_str());
  if (dir == nullptr) {
    return Error::of_code(
        fmt::format("failed to open library directory {}: {}", directory, std::strerror(errno)),
        errno);
  }
  std::vector<std::string> names;
  while (const dirent* const entry = ::readdir(dir)) {
    const std::string_view name = entry->d_name;
    if (name.ends_with(".d") && name.front() != '.' && names.size() < kMaxLibraryFiles) {
      names.emplace_back(name);
    }
  }
  ::closedir(dir);
  std::sort(names.begin(), names.end());
  return names;
}

// A pipe in the directory would be waited for.
Result<std::string> read_library(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    return Error::of(fmt::format("{} is not a regular file", path));
  }
  return support::read_file(path);
}

std::vector<d::LibraryFile> read_libraries(const std::vector<std::string>& directories,
                                           const Callbacks& callbacks, std::uint32_t& left_out) {
  std::vector<d::LibraryFile> files;
  for (const std::string& directory : directories) {
    Result<std::vector<std::string>> names = library_names(directory);
    if (!names.ok()) {
      callbacks.say(names.error().text);
      ++left_out;
      continue;
    }
    for (const std::string& name : *names) {
      const std::string path = directory + "/" + name;
      Result<std::string> text = read_library(path);
      if (text.ok()) {
        files.push_back({path, std::move(*text)});
      } else {
        callbacks.say(text.error().text + "; this library is left out");
        ++left_out;
      }
    }
  }
  return files;
}

}  // namespace

void offer_libraries(d::Options& out, const LanguageRequest& from) {
  const Options& options = from.options;
  const Callbacks& callbacks = from.callbacks;
  std::uint32_t& left_out = from.libraries_left_out;
  if (options.nolibs) {
    return;
  }
  std::vector<std::string> directories;
  const std::string system = system_library_directory(options);
  if (!system.empty()) {
    directories.push_back(system);
  }
  directories.insert(directories.end(), options.libdirs.begin(), options.libdirs.end());
  out.libraries = [directories, is_whole = !system.empty(), &callbacks, &types = from.types,
                   &left_out] {
    if (!is_whole) {
      callbacks.say(
          "the D libraries that belong to this program are not in ../lib/dtrace beside it: their "
          "names, as ENOENT and R_PC, are not known; -x syslibdir=DIR says where they are");
    }
    runtime::expect_needs(types);
    return read_libraries(directories, callbacks, left_out);
  };
  out.library_left_out = [&callbacks, &left_out, &options](const std::string& path,
                                                           const support::Diagnostic& why,
                                                           const support::Sources& sources) {
    callbacks.say(fmt::format("failed to compile script {}: {}", path,
                              support::headline(why, sources, options.errtags)),
                  support::render(why, sources));
    callbacks.say(fmt::format("the library {} is left out", path));
    ++left_out;
  };
}

}  // namespace dt::api
