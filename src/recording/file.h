#pragma once
// The files of recordings.

#include <string>

#include "support/fd.h"
#include "support/result.h"

namespace dt::recording {

struct NewFile {
  Fd fd;
  bool has_replaced = false;  // the recording NAME.old had this name
};

// A new file that only its owner can read and write. A recording that has this name is called
// NAME.old from now on, and an empty file is removed; any other file, and a recording that is still
// being written, is left alone, and is an error.
Result<NewFile> create_file(const std::string& name);
// Of a run that has not begun: removes the file, and what it has replaced has its name again.
void remove_file(const std::string& name, bool has_replaced);

// Why a recording that has no end ends: it was cut off, or a dtrace is still writing it.
const char* why_cut(const std::string& name);

// An error where the file system can take no bytes out of the middle of a file.
Status can_take_out(int fd);
// Takes bytes out of the file, from one multiple of kSegmentAlign up to another one. Returns by how
// many bytes the file has become shorter, or 0 where the file system leaves a hole, which has no
// blocks.
Result<std::uint64_t> take_out(int fd, std::uint64_t begin, std::uint64_t end);

}  // namespace dt::recording
