#pragma once
// By which path the file of an object can be opened now.
//
// map_files of /proc/PID leads to just the mapped file, by the addresses of one mapping. A program
// that moves, divides or removes this mapping after it was read leaves a path to nothing, although
// the file may still be where the process sees it: under /proc/PID/root, if it has not been
// replaced.

#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "symbol/process/objects.h"

namespace dt::symbol {

inline std::string path_of(const ProcessObject& object) {
  constexpr std::string_view kMapFiles = "/map_files/";
  const std::size_t at = object.open_path.find(kMapFiles);
  if (at == std::string::npos || ::access(object.open_path.c_str(), F_OK) == 0) {
    return object.open_path;
  }
  std::string seen = object.open_path.substr(0, at) + "/root" + object.path;
  struct stat file {};
  const bool is_same = ::stat(seen.c_str(), &file) == 0 && S_ISREG(file.st_mode) &&
                       file.st_dev == object.device && file.st_ino == object.inode;
  return is_same ? seen : object.open_path;
}

}  // namespace dt::symbol
