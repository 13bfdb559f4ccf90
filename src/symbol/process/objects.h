#pragma once
// The objects of a process: its program and the libraries that it has mapped.

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "support/result.h"
#include "symbol/process/process.h"

namespace dt::symbol {

struct ProcessObject {
  std::string name;  // the last part of its path: "libc.so.6"
  std::string path;  // as the process sees it
  // By which we can open just this file, also when it has been replaced.
  std::string open_path;
  std::uint64_t device = 0, inode = 0;
  bool is_program = false;        // what descriptions call a.out
  std::vector<Mapping> mappings;  // of its code
};

// In the order of their addresses. The error's code is that of the system, and
// ESRCH too for a process that has ended but is still waited for.
Result<std::vector<ProcessObject>> objects_of(pid_t pid);

// The files that the process may map later and that a description means by `name`:
// libraries that it loads, programs that it executes. The directories of LD_LIBRARY_PATH
// (of the process) come first, then the program's own, its current one, those of the
// program's RUNPATH and of the system, and those of PATH; the result is the matches of the
// first directory that has any. Without mappings.
std::vector<ProcessObject> objects_to_come(pid_t pid, std::string_view name);

// The ELF file at an absolute path, whichever process maps it; its name is the path. Without
// mappings.
std::optional<ProcessObject> object_at(const std::string& path);

// The files that libdtrace-probes has left (dtrace/probes.h), as the process sees them: what
// it maps that makes the same probes. Without mappings.
std::vector<ProcessObject> kept_objects(pid_t pid);

// Every process, ascending.
std::vector<pid_t> all_processes();

// All processes and their objects, each looked at once: a script has several descriptions that ask
// about all of them, and each is to be answered of the same processes.
class ObjectsOnce {
 public:
  const std::vector<pid_t>& processes();
  // Empty for a process that has ended.
  const std::vector<ProcessObject>& of(pid_t pid);
  // objects_to_come() and kept_objects().
  const std::vector<ProcessObject>& to_come(pid_t pid, const std::string& name);
  const std::vector<ProcessObject>& kept(pid_t pid);

 private:
  std::optional<std::vector<pid_t>> processes_;
  std::unordered_map<pid_t, std::vector<ProcessObject>> objects_, kept_;
  std::map<std::pair<pid_t, std::string>, std::vector<ProcessObject>> to_come_;
};

// Whether a description means the object by `name`: its name, "a.out" for the
// program, or all of its name before ".so" or a version ("libc", "libpthread-2.31").
bool is_called(const ProcessObject& object, std::string_view name);

}  // namespace dt::symbol
