// See installed.h.

#include "api/options/installed.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <string_view>

#include "support/file.h"

namespace dt::api {
namespace {

// The directory of the file that this code is in: "/usr/lib" of the shared
// library, "/usr/sbin" of "/usr/sbin/dtrace"; "" when it cannot be known.
std::string directory_of_code() {
  Dl_info here = {};
  link_map* map = nullptr;
  if (::dladdr1(reinterpret_cast<const void*>(&directory_of_code), &here,
                reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0 &&
      map != nullptr && map->l_name[0] == '/') {  // the program itself has no name there
    const std::string_view file(map->l_name);
    return std::string(file.substr(0, file.rfind('/')));
  }
  return support::own_directory();
}

bool exists(const std::string& path) { return ::access(path.c_str(), R_OK) == 0; }

}  // namespace

std::string system_library_directory(const Options& options) {
  if (!options.syslibdir.empty()) {
    return options.syslibdir;
  }
  const std::string here = directory_of_code();
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

}  // namespace dt::api
