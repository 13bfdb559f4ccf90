// See http.h.

#include "page/http.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace dt::page {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// RFC 9110, 5.6.2.
bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

bool is_visible(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// "localhost:8080", "[::1]", as a Host has it.
bool is_local(std::string_view host, std::optional<int> port) {
  for (const std::string_view name : {"127.0.0.1", "localhost", "[::1]"}) {
    if (!host.starts_with(name)) continue;
    const std::string_view rest = host.substr(name.size());
    if (rest.empty()) return !port || *port == 80;
    int number = 0;
    const char* const end = rest.data() + rest.size();
    const auto [at, error] = std::from_chars(rest.data() + 1, end, number);
    return rest[0] == ':' && error == std::errc() && at == end && (!port || number == *port);
  }
  return false;
}

const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 431:
      return "Request Header Fields Too Large";
    default:
      return "Service Unavailable";
  }
}

}  // namespace

std::optional<std::size_t> header_end(std::string_view bytes) {
  const std::size_t at = bytes.find("\r\n\r\n");
  return at == std::string_view::npos ? std::nullopt : std::optional(at + 4);
}

std::optional<Request> parse_request(std::string_view bytes) {
  Request request;
  std::size_t end = bytes.find(kLineEnd);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = bytes.substr(0, end);
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || last <= first) return std::nullopt;
  const std::string_view version = line.substr(last + 1);
  request.method = line.substr(0, first);
  request.path = line.substr(first + 1, last - first - 1);
  if (!is_token(request.method) || request.path.empty() || request.path[0] != '/' ||
      !is_visible(request.path) || (version != "HTTP/1.1" && version != "HTTP/1.0")) {
    return std::nullopt;
  }
  for (std::size_t at = end + 2; at + 2 < bytes.size(); at = end + 2) {
    end = bytes.find(kLineEnd, at);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view field = bytes.substr(at, end - at);
    if (field.empty()) break;
    const std::size_t colon = field.find(':');
    if (colon == std::string_view::npos || !is_token(field.substr(0, colon))) return std::nullopt;
    std::string name(field.substr(0, colon));
    std::ranges::transform(name, name.begin(), lower);
    // Two of one name could mean one thing here and another elsewhere.
    if (!request.headers.emplace(name, trimmed(field.substr(colon + 1))).second &&
        (name == "host" || name == "origin" || name == "authorization")) {
      return std::nullopt;
    }
  }
  return request;
}

bool is_for_us(const Request& request, const Access& access) {
  const auto host = request.headers.find("host");
  if (host == request.headers.end() || !is_local(host->second, access.port)) return false;
  const auto origin = request.headers.find("origin");
  constexpr std::string_view kScheme = "http://";
  return origin == request.headers.end() ||
         (origin->second.starts_with(kScheme) &&
          is_local(std::string_view(origin->second).substr(kScheme.size()), access.port));
}

// How long it takes does not say how much of it is right.
bool has_token(const Request& request, const Access& access) {
  const auto found = request.headers.find("authorization");
  if (found == request.headers.end()) return false;
  const std::string wanted = "Bearer " + access.token;
  if (found->second.size() != wanted.size()) return false;
  unsigned differs = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    differs |= static_cast<unsigned>(wanted[i] ^ found->second[i]);
  }
  return differs == 0;
}

std::string answer_head(int status, std::string_view type, std::optional<std::size_t> length) {
  std::string head = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nConnection: close\r\nCache-Control: no-store\r\n"
      "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
      "connect-src 'self'; img-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; "
      "form-action 'none'\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n",
      status, reason(status), type);
  if (length) head += fmt::format("Content-Length: {}\r\n", *length);
  if (status == 405) head += "Allow: GET\r\n";
  if (status == 401) head += "WWW-Authenticate: Bearer\r\n";
  return head + "\r\n";
}

std::string answer(int status, std::string_view text) {
  return answer_head(status, "text/plain; charset=utf-8", text.size()).append(text);
}

}  // namespace dt::page
