#pragma once
// The programs of this machine, as scripts of the SystemTap language ask for them: their files,
// found as a shell finds them, and their code, read from the files and their debugging information.

#include "stap/meaning/program_code.h"

namespace dt::api {

// The functions share what has been read of the last program, as most points of a script are of one
// program.
stap::Programs installed_programs();

}  // namespace dt::api
