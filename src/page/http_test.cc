#include "page/http.h"

#include <gtest/gtest.h>

namespace dt::page {
namespace {

const Access kAccess = {"0123456789abcdef0123456789abcdef", 8080};

Request request(const std::string& headers) {
  const std::string bytes = "GET / HTTP/1.1\r\n" + headers + "\r\n";
  const auto parsed = parse_request(bytes);
  EXPECT_TRUE(parsed) << headers;
  return parsed.value_or(Request{});
}

TEST(Http, a_request_is_its_first_line_and_its_headers) {
  const Request one = request("Host:  localhost:8080 \r\nX-A: b c\r\n");
  EXPECT_EQ(one.method, "GET");
  EXPECT_EQ(one.path, "/");
  EXPECT_EQ(one.headers.at("host"), "localhost:8080");
  EXPECT_EQ(one.headers.at("x-a"), "b c");
  EXPECT_EQ(header_end("GET / HTTP/1.1\r\n\r\nmore"), 18U);
  EXPECT_EQ(header_end("GET / HTTP/1.1\r\n"), std::nullopt);
}

TEST(Http, what_is_no_request_is_refused) {
  for (const std::string bytes :
       {"", "\r\n\r\n", "GET /\r\n\r\n", "GET  HTTP/1.1\r\n\r\n", "GET / HTTP/2\r\n\r\n",
        "G(T / HTTP/1.1\r\n\r\n", "GET http://x/ HTTP/1.1\r\n\r\n", "GET /\x01 HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\nname : x\r\n\r\n",
        "GET / HTTP/1.1\r\n folded: x\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n"}) {
    EXPECT_FALSE(parse_request(bytes)) << bytes;
  }
}

TEST(Http, only_pages_of_this_server_are_answered) {
  for (const std::string host : {"127.0.0.1:8080", "localhost:8080", "[::1]:8080"}) {
    EXPECT_TRUE(is_for_us(request("Host: " + host + "\r\n"), kAccess)) << host;
    EXPECT_TRUE(
        is_for_us(request("Host: " + host + "\r\nOrigin: http://" + host + "\r\n"), kAccess));
  }
  for (const std::string host : {"evil.example:8080", "localhost:80", "localhost",
                                 "localhost:", "localhost.evil.example:8080", "localhost:8080x",
                                 "127.0.0.11:8080", "localhost:80800000000000", ""}) {
    EXPECT_FALSE(is_for_us(request("Host: " + host + "\r\n"), kAccess)) << host;
  }
  EXPECT_FALSE(is_for_us(request(""), kAccess));
  for (const std::string origin :
       {"http://evil.example", "null", "https://localhost:8080", "http://localhost:1"}) {
    EXPECT_FALSE(is_for_us(request("Host: localhost:8080\r\nOrigin: " + origin + "\r\n"), kAccess))
        << origin;
  }
  // Behind a Unix socket stands whatever port ssh has.
  EXPECT_TRUE(is_for_us(request("Host: localhost:9000\r\n"), {kAccess.token, std::nullopt}));
  EXPECT_FALSE(is_for_us(request("Host: evil:9000\r\n"), {kAccess.token, std::nullopt}));
}

TEST(Http, the_token_has_to_be_right) {
  const auto has = [](const std::string& value) {
    return has_token(request("Authorization: " + value + "\r\n"), kAccess);
  };
  EXPECT_TRUE(has("Bearer " + kAccess.token));
  EXPECT_FALSE(has("Bearer " + kAccess.token.substr(1)));
  EXPECT_FALSE(has("Bearer 1" + kAccess.token.substr(1)));
  EXPECT_FALSE(has("Bearer " + kAccess.token + "0"));
  EXPECT_FALSE(has(kAccess.token));
  EXPECT_FALSE(has_token(request(""), kAccess));
}

}  // namespace
}  // namespace dt::page
