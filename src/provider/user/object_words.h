#pragma once
// Objects of a process in messages: which it has mapped, and which may have been meant.

#include <string>
#include <string_view>
#include <vector>

namespace dt::provider {

// "it has mapped a.out, libc.so.6, ...".
std::string objects_text(const std::vector<std::string>& names);

// What other systems call the C library, and parts of it that are libraries of their own there.
bool is_of_c_library(std::string_view object);

// Which of the objects may have been meant; empty: none is near.
std::string meant_object(const std::string& object, const std::vector<std::string>& names);

}  // namespace dt::provider
