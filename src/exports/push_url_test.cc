#include "exports/push_url.h"

#include <gtest/gtest.h>

namespace dt::exports {
namespace {

std::string parts(std::string_view text) {
  const Result<PushUrl> url = parse_push_url(text);
  if (!url.ok()) return url.error().text;
  return (url->kind == PushUrl::Kind::kOtlp ? "otlp " : "graphite ") + url->host + " " + url->port +
         " " + url->path;
}

TEST(PushUrl, has_the_ports_and_the_path_that_collectors_have) {
  EXPECT_EQ(parts("http://localhost"), "otlp localhost 4318 /v1/metrics");
  EXPECT_EQ(parts("http://127.0.0.1:9/x/y?z=1"), "otlp 127.0.0.1 9 /x/y?z=1");
  EXPECT_EQ(parts("http://[::1]:65535/"), "otlp ::1 65535 /v1/metrics");
  EXPECT_EQ(parts("tcp://carbon"), "graphite carbon 2003 /v1/metrics");
  EXPECT_EQ(parts("tcp://[::1]:1"), "graphite ::1 1 /v1/metrics");
}

TEST(PushUrl, what_cannot_be_sent_to_is_refused_with_its_reason) {
  for (const std::string_view text :
       {"", "localhost", "http://", "http://:80", "http://h:0", "http://h:65536", "http://h:x",
        "http://[::1", "http://[::1]x", "http://u:p@h/", "http://u@h/", "http://h/a b",
        "http://h/\r\nX: y", "https://h/", "udp://h"}) {
    EXPECT_FALSE(parse_push_url(text).ok()) << text;
  }
  EXPECT_EQ(
      parts("https://h"),
      "push=https://h: TLS is not spoken; a collector on this machine takes http and passes it on");
}

}  // namespace
}  // namespace dt::exports
