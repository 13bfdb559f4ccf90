// Conversions that ask the system: dates in the local time zone, the names of
// ports and hosts.

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netdb.h>
#include <sys/socket.h>

#include <cstring>
#include <ctime>

#include "consumer/value/format.h"

namespace dt::consumer {
namespace {

std::string strftime_text(std::int64_t wall_ns, const char* format) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  std::int64_t seconds = wall_ns / kSecond;
  if (wall_ns % kSecond < 0) {
    --seconds;
  }
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  if (::localtime_r(&time, &parts) == nullptr) {
    return std::to_string(wall_ns);
  }
  char text[4096];  // a pattern has at most record::kMaxModifier characters
  const std::size_t length = std::strftime(text, sizeof text, format, &parts);
  return {text, length};
}

}  // namespace

// A pattern in which the digits of the ns already stand.
std::string time_text(std::int64_t wall_ns, std::string_view pattern) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::int64_t rest = wall_ns % kSecond;
  const std::string ns = fmt::format("{:09}", rest < 0 ? rest + kSecond : rest);
  std::string with_ns;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const std::string_view left = pattern.substr(at);
    if (left.starts_with("%N")) {
      with_ns += ns;
      ++at;
    } else if (left.starts_with("%3N") || left.starts_with("%6N") || left.starts_with("%9N")) {
      with_ns += ns.substr(0, static_cast<std::size_t>(left[1] - '0'));
      at += 2;
    } else if (left.starts_with("%%")) {
      with_ns += "%%";
      ++at;
    } else {
      with_ns += left[0];
    }
  }
  return strftime_text(wall_ns, with_ns.c_str());
}

std::string date_text(std::int64_t wall_ns) { return strftime_text(wall_ns, "%Y %b %e %T"); }

std::string rfc822_text(std::int64_t wall_ns) {
  return strftime_text(wall_ns, "%a, %d %b %Y %T %Z");
}

std::string port_text(std::uint16_t port) {
  servent entry{};
  servent* found = nullptr;
  char buffer[4096];
  if (::getservbyport_r(htons(port), nullptr, &entry, buffer, sizeof buffer, &found) == 0 &&
      found != nullptr) {
    return found->s_name;
  }
  return std::to_string(port);
}

std::string host_text(std::string_view address) {
  const std::string text(address);
  sockaddr_storage storage{};
  socklen_t length = 0;
  in_addr v4{};
  in6_addr v6{};
  if (::inet_pton(AF_INET, text.c_str(), &v4) == 1) {
    sockaddr_in socket_address{};
    socket_address.sin_family = AF_INET;
    socket_address.sin_addr = v4;
    std::memcpy(&storage, &socket_address, sizeof socket_address);
    length = sizeof socket_address;
  } else if (::inet_pton(AF_INET6, text.c_str(), &v6) == 1) {
    sockaddr_in6 socket_address{};
    socket_address.sin6_family = AF_INET6;
    socket_address.sin6_addr = v6;
    std::memcpy(&storage, &socket_address, sizeof socket_address);
    length = sizeof socket_address;
  } else {
    return text;
  }
  char host[NI_MAXHOST];
  if (::getnameinfo(reinterpret_cast<const sockaddr*>(&storage), length, host, sizeof host, nullptr,
                    0, NI_NAMEREQD) != 0) {
    return text;
  }
  return host;
}

}  // namespace dt::consumer
