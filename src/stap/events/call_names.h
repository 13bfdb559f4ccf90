#pragma once
// SystemTap's names of the arguments of system calls, where the kernel calls them otherwise.

#include <string_view>

namespace dt::stap {

// "buf" for buf_uaddr of read(); empty: it is no such name.
std::string_view kernel_name_of(std::string_view call, std::string_view name);

}  // namespace dt::stap
