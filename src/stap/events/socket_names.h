#pragma once
// What numbers among the arguments of calls of sockets are called: SO_RCVBUF, TCP_NODELAY,
// IPPROTO_TCP.

#include <cstdint>
#include <optional>
#include <string>

namespace dt::stap {

// The option of a setsockopt() or getsockopt(); its name depends on the level.
std::optional<std::string> socket_option(std::int64_t level, std::int64_t option);
// The protocol of a socket() of the families of IP or netlink: IPPROTO_TCP, NETLINK_ROUTE.
std::optional<std::string> protocol_name(std::int64_t family, std::int64_t protocol);

}  // namespace dt::stap
