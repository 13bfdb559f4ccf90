// See object_path.h.

#include "symbol/process/object_path.h"

#include <sys/stat.h>
#include <unistd.h>

#include <string_view>

namespace dt::symbol {

std::string path_of(const ProcessObject& object) {
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
