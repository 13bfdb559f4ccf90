// Finding and reading the D libraries.

#include "cli/library.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cli/inputs.h"
#include "cli/report.h"

namespace dt::cli {
namespace {

constexpr std::size_t kMaxLibraryFiles = 1024;

// "/usr/sbin" of "/usr/sbin/dtrace"; "" when it cannot be known.
std::string program_directory() {
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
    return Error{
        fmt::format("failed to open library directory {}: {}", directory, std::strerror(errno)),
        errno, "", ""};
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

std::vector<d::LibraryFile> read_libraries(const std::vector<std::string>& directories) {
  std::vector<d::LibraryFile> files;
  for (const std::string& directory : directories) {
    Result<std::vector<std::string>> names = library_names(directory);
    if (!names.ok()) {
      say(names.error().text);
      continue;
    }
    for (const std::string& name : *names) {
      const std::string path = directory + "/" + name;
      Result<std::string> text = read_file(path);
      if (text.ok()) {
        files.push_back({path, std::move(*text)});
      } else {
        say(text.error().text + "; this library is left out");
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
  const std::string here = program_directory();
  if (here.empty()) {
    return {};
  }
  for (const char* place : {"/../lib/dtrace", "/../../../../lib"}) {
    if (exists(here + place + "/procfs.d")) {
      return here + place;
    }
  }
  return {};
}

void offer_libraries(d::World& world, const Options& options) {
  if (options.nolibs) {
    return;
  }
  std::vector<std::string> directories;
  if (std::string system = system_library_directory(options); !system.empty()) {
    directories.push_back(std::move(system));
  }
  directories.insert(directories.end(), options.libdirs.begin(), options.libdirs.end());
  if (directories.empty()) {
    return;
  }
  world.libraries = [directories] { return read_libraries(directories); };
  world.library_left_out = [](const std::string& path, const std::string& headline,
                              const std::string& excerpt) {
    say(fmt::format("failed to compile script {}: {}", path, headline));
    say_text(excerpt);
    say(fmt::format("the library {} is left out", path));
  };
}

}  // namespace dt::cli
