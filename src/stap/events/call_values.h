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
// The request of an ioctl(): TCGETS, _IOC(_IOC_READ, 0x54, 0x5, 0x4).
std::string request_text(std::uint64_t request);
// The seals of fcntl(F_ADD_SEALS): F_SEAL_SHRINK|F_SEAL_GROW.
std::string seals_text(std::int64_t seals);
// The operation of a futex(): FUTEX_WAIT_PRIVATE. nullopt: it is unknown.
std::optional<std::string> futex_text(std::int64_t operation);

}  // namespace dt::stap
