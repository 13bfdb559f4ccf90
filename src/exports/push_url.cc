// See push_url.h.

#include "exports/push_url.h"

#include <fmt/core.h>

#include <algorithm>

namespace dt::exports {
namespace {

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool is_port(std::string_view text) {
  constexpr std::size_t kMostDigits = 5;
  constexpr int kMostPorts = 65535;
  if (text.empty() || text.size() > kMostDigits) return false;
  if (!std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) return false;
  const int port = std::stoi(std::string(text));
  return port >= 1 && port <= kMostPorts;
}

// What stands in a line of a request ends at a blank or a line end.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

}  // namespace

Result<PushUrl> parse_push_url(std::string_view text) {
  const auto refused = [&](std::string_view why) {
    return Error::of(
        fmt::format("push={}: {}", text, why),
        "push=http://127.0.0.1:4318/v1/metrics for OTLP, push=tcp://127.0.0.1:2003 for Graphite");
  };
  PushUrl url;
  std::string_view rest = text;
  if (take_prefix(rest, "https://")) {
    return refused("TLS is not spoken; a collector on this machine takes http and passes it on");
  }
  if (take_prefix(rest, "tcp://")) {
    url.kind = PushUrl::Kind::kGraphite;
    url.port = "2003";
  } else if (take_prefix(rest, "http://")) {
    url.port = "4318";
  } else {
    return refused("it begins with neither http:// nor tcp://");
  }
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  url.path = rest.substr(slash);
  std::string_view authority = rest.substr(0, slash);
  if (take_prefix(authority, "[")) {
    const std::size_t end = authority.find(']');
    if (end == std::string_view::npos) return refused("its host has no ']'");
    url.host = authority.substr(0, end);
    authority.remove_prefix(end + 1);
  } else {
    const std::size_t colon = std::min(authority.find(':'), authority.size());
    url.host = authority.substr(0, colon);
    authority.remove_prefix(colon);
  }
  if (!authority.empty()) {
    if (authority.front() != ':' || !is_port(authority.substr(1))) {
      return refused("its port is not a number from 1 to 65535");
    }
    url.port = authority.substr(1);
  }
  if (url.host.empty()) return refused("it has no host");
  if (!is_plain(url.host) || !is_plain(url.path))
    return refused("it has characters that a URL has not");
  if (url.host.find('@') != std::string::npos) return refused("a user's name in it is not sent");
  if (url.path.empty() || url.path == "/") url.path = "/v1/metrics";
  return url;
}

}  // namespace dt::exports
