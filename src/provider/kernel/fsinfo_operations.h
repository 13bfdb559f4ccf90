#pragma once
// The operations of the fsinfo provider, and the functions of the kernel that do them.

#include <cstdint>
#include <span>
#include <vector>

#include "provider/mechanism/stable.h"

namespace dt::provider {

// What an operation is about, found by the types of the function's parameters.
enum class Subject : std::uint8_t {
  kFile,       // the struct file
  kPath,       // the struct path
  kEntry,      // the last struct dentry
  kDirectory,  // the directory that this one is in
  kMade,       // the struct dentry that is returned, or else that which is passed
  kInode,      // the first name of the struct inode
  kSource,     // the old directory of the struct renamedata
};

// Which returns of the function count.
enum class Counted : std::uint8_t {
  kAll,
  kDone,     // those without an error
  kOpened,   // those that opened the file, and not only its name (O_PATH)
  kCreated,  // those that opened a file that they had made
  kOwners,   // those for each process that closes the file, not for its last close
  kMapped,   // those without an error that have a file
  kFlags,    // F_SETFL without an error, of all of fcntl()
  kAccess,   // what access(), open(), exec and chdir() ask, of all permissions
};

struct Operation {
  const char* probe;
  const char* function;
  Subject subject = Subject::kFile;
  Counted counted = Counted::kAll;
  bool returns_bytes = false;
};

// In the order of the probes' names.
std::span<const Operation> file_operations();
std::vector<AbsentProbe> absent_file_operations();

}  // namespace dt::provider
