#pragma once
// Probes of many processes: one link puts the breakpoints into a file for every process
// that maps it, now or later, so that none starts too late to be seen; the program then
// asks whose firing it is.

#include <sys/stat.h>

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>

#include "support/fd.h"
#include "symbol/process/objects.h"

namespace dt::provider {

// Whose firings a probe has: those of the one process that its link is for, or of every
// process but dtrace itself, as what we do for a probe would make it fire again. Any other
// number: of that process and those that descend from it (bpf/program/follow.h).
constexpr std::int32_t kItsOwn = 0, kEveryones = INT32_MAX;

// Whether the pattern means a provider's name with any number behind it: "pid*" means
// pid12 and all others, "pid1*" does not.
bool means_all(std::string_view pattern, std::string_view stem);

// Files that are open, so that they can be named when those are gone who mapped them.
class SharedFiles {
 public:
  // The path of a file, one for all ways to it; nullopt when it is gone. Two links to a
  // file would make its probes fire twice.
  std::optional<std::string> path(const symbol::ProcessObject& object);

 private:
  struct File {
    Fd fd;
    struct stat status;
    bool is_layered;
  };
  static bool is_same(const File& a, const File& b);

  std::list<File> files_;
};

}  // namespace dt::provider
