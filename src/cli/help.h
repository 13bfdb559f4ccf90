#pragma once
// What the command prints about itself.

#include <string>

namespace dt::cli {

std::string usage_line();
// What a person may type first.
std::string first_steps();
std::string help_text();

}  // namespace dt::cli
