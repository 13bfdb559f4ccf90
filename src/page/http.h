#pragma once
// The little of HTTP/1.1 that the page needs: requests without a body, an answer to each
// connection.
//
// What comes is untrusted: any program of this machine can connect, and a browser sends what a
// foreign page makes it send.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace dt::page {

constexpr std::size_t kMostHeaderBytes = 8 << 10;

struct Request {
  std::string method, path;
  std::map<std::string, std::string> headers;  // by their names in lower case
};

// Whether all of a request is there; its length.
std::optional<std::size_t> header_end(std::string_view bytes);
// Nothing: it is none. `bytes` are those up to header_end().
std::optional<Request> parse_request(std::string_view bytes);

// Whom the page answers. A page of another origin reaches this server under a name of its own (DNS
// rebinding) or sends its own origin: both are refused.
struct Access {
  std::string token;        // 32 hexadecimal digits
  std::optional<int> port;  // that the Host has to name; of a Unix socket any
};
// Whether the request may see anything.
bool is_for_us(const Request& request, const Access& access);
// Whether it has the token.
bool has_token(const Request& request, const Access& access);

// "HTTP/1.1 200 OK", with the headers that forbid a browser everything but the page's own files.
std::string answer_head(int status, std::string_view type, std::optional<std::size_t> length);
// A whole answer of a short text.
std::string answer(int status, std::string_view text);

}  // namespace dt::page
