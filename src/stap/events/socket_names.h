#pragma once
// What numbers among the arguments of calls of sockets are called: SO_RCVBUF, TCP_NODELAY,
// IPPROTO_TCP.

#include <cstdint>
#include <optional>
#include <string>

namespace dt::stap {

// Of setsockopt() and getsockopt(), whose option is one of a level.
std::optional<std::string> socket_option(std::int64_t level, std::int64_t option);
// Of socket() with a family of IP or of netlink: IPPROTO_TCP, NETLINK_ROUTE.
std::optional<std::string> protocol_name(std::int64_t family, std::int64_t protocol);

}  // namespace dt::stap
