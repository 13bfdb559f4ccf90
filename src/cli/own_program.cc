// See own_program.h. A command of make tarball cannot be executed without its launcher
// (launcher.c).

#include "cli/own_program.h"

#include <unistd.h>

#include "support/file.h"

namespace dt::cli {

std::string own_program() {
  const std::string here = support::own_directory();
  const std::string launcher = here + "/../sbin/dtrace";
  return here.ends_with("/libexec") && ::access(launcher.c_str(), X_OK) == 0 ? launcher
                                                                             : "/proc/self/exe";
}

}  // namespace dt::cli
