#pragma once
// The command of stap -c.

#include <string>
#include <string_view>

namespace dt::cli {

// The command as dtrace's -c takes it, which is words. As in SystemTap, what only a shell
// understands makes the line a shell's: variables, patterns and redirections, of which the shell
// becomes the command, and pipes and lists, of which the shell is the process of target().
std::string stap_command(std::string_view line);

}  // namespace dt::cli
