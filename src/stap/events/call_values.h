#pragma once
// What numbers among the arguments of system calls are called: PROT_READ|PROT_WRITE, SEEK_SET,
// SIGUSR1.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dt::stap {

// As strace writes the value of that argument of that call; nullopt: it is a number.
std::optional<std::string> named_value(std::string_view call, std::string_view argument,
                                       std::int64_t value);

}  // namespace dt::stap
