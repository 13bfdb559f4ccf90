#pragma once
// The files of recordings.

#include <string>

#include "support/fd.h"
#include "support/result.h"

namespace dt::recording {

// A new file that only its owner can read and write. A recording that has this name is called
// NAME.old from now on; any other file, and a recording that is still being written, is left alone,
// and is an error.
Result<Fd> create_file(const std::string& name);

}  // namespace dt::recording
