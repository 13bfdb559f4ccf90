#pragma once
// The commands of system(): run by the shell, one after another, in the order
// in which they were recorded.

#include <functional>
#include <string>

#include "support/result.h"

namespace dt::runtime {

// Runs `command` with /bin/sh, its standard output on `output`, and waits for
// its end; what it returns is its own affair. While waiting, `wake_fd` becoming
// readable (-1: nothing) asks `give_up`, which reads what made it readable, and says whether the
// command is to be killed. It is also asked a few times a second.
Status run_command(const std::string& command, int output, int wake_fd,
                   const std::function<bool()>& give_up);

}  // namespace dt::runtime
