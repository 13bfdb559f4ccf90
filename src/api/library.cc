// Finding and reading the D libraries.

#include "api/library.h"

#include <dirent.h>
#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/machine.h"
#include "support/file.h"

namespace dt::api {
namespace {

constexpr std::size_t kMaxLibraryFiles = 1024;

// The directory of the file that this code is in: "/usr/lib" of the shared
// library, "/usr/sbin" of "/usr/sbin/dtrace"; "" when it cannot be known.
std::string own_directory() {
  Dl_info here = {};
  link_map* map = nullptr;
  if (::dladdr1(reinterpret_cast<const void*>(&own_directory), &here,
                reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0 &&
      map != nullptr && map->l_name[0] == '/') {  // the program itself has no name there
    const std::string_view file(map->l_name);
    return std::string(file.substr(0, file.rfind('/')));
  }
  char path[4096];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0 || static_cast<std::size_t>(length) == sizeof path) {
    return {};
  }
  const std::string_view text(path, static_cast<std::size_t>(length));
  return std::string(text.substr(0, text.rfind('/')));
}

bool exists(const std::string& path) { return ::access(path.c_str(), R_OK) == 0; }

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
                                           const Told& told, std::uint32_t& left_out) {
  std::vector<d::LibraryFile> files;
  for (const std::string& directory : directories) {
    Result<std::vector<std::string>> names = library_names(directory);
    if (!names.ok()) {
      told.say(names.error().text);
      ++left_out;
      continue;
    }
    for (const std::string& name : *names) {
      const std::string path = directory + "/" + name;
      Result<std::string> text = read_library(path);
      if (text.ok()) {
        files.push_back({path, std::move(*text)});
      } else {
        told.say(text.error().text + "; this library is left out");
        ++left_out;
      }
    }
  }
  return files;
}

}  // namespace

std::string system_library_directory(const Options& options) {
  if (!options.syslibdir.empty()) {
    return options.syslibdir;
  }
  const std::string here = own_directory();
  if (here.empty()) {
    return {};
  }
  for (const char* place : {"/../lib/dtrace", "/dtrace", "/../dtrace", "/../../../../lib"}) {
    if (exists(here + place + "/procfs.d")) {
      return here + place;
    }
  }
  return {};
}

void offer_libraries(d::Options& out, const LanguageRequest& from) {
  const Options& options = from.options;
  const Told& told = from.told;
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
  out.libraries = [directories, is_whole = !system.empty(), &told, &types = from.types, &left_out] {
    if (!is_whole) {
      told.say(
          "the D libraries that belong to this program are not in ../lib/dtrace beside it: their "
          "names, as ENOENT and R_PC, are not known; -x syslibdir=DIR says where they are");
    }
    runtime::expect_needs(types);
    return read_libraries(directories, told, left_out);
  };
  out.library_left_out = [&told, &left_out](const std::string& path, const std::string& headline,
                                            const std::string& excerpt) {
    told.say(fmt::format("failed to compile script {}: {}", path, headline), excerpt);
    told.say(fmt::format("the library {} is left out", path));
    ++left_out;
  };
}

}  // namespace dt::api
