#include "exports/html.h"

#include <gtest/gtest.h>

#include <array>

#include "testing/exports/sha256.h"

namespace dt::exports {
namespace {

// What is between the two, which are there once.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t at = text.find(begin);
  EXPECT_NE(at, std::string::npos) << begin;
  const std::size_t from = at + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

std::string bytes_of(const std::string& base64) {
  std::string out;
  std::uint32_t word = 0;
  int bits = 0;
  for (const char c : base64) {
    const std::size_t at =
        std::string("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").find(c);
    if (at == std::string::npos) break;
    word = word << 6 | static_cast<std::uint32_t>(at);
    bits += 6;
    if (bits >= 8) out += static_cast<char>(word >> (bits -= 8) & 0xff);
  }
  return out;
}

std::string inflated(const std::string& gzip) {
  z_stream stream{};
  EXPECT_EQ(::inflateInit2(&stream, 15 + 16), Z_OK);
  std::string in = gzip, out(1 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(::inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  ::inflateEnd(&stream);
  return out;
}

// The vectors of FIPS 180-4's examples, and of RFC 4648.
TEST(Html, hashes_and_base64_are_those_of_their_standards) {
  EXPECT_EQ(base64(sha256("abc")), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  EXPECT_EQ(base64(sha256("")), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(base64(sha256(std::string(1'000'000, 'a'))),
            "zcduXJkU+5KBocfihNc+Z/GAmkiklyAOBG05zMcRLNA=");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Html, a_document_has_its_lines_and_allows_only_itself) {
  Html html;
  std::string lines;
  for (int i = 0; i < 5000; ++i) lines += "{\"name\":\"</script><img src=x onerror=alert(1)>\"}\n";
  html.add(std::string_view(lines).substr(0, 7));
  html.add(std::string_view(lines).substr(7));
  const std::string document = html.document();
  EXPECT_EQ(inflated(bytes_of(between(document, "id=\"data\">", "<"))), lines);
  EXPECT_EQ(document.find("onerror"), std::string::npos);
  const std::string policy = between(document, "Content-Security-Policy\" content=\"", "\">");
  EXPECT_EQ(policy, "default-src 'none'; script-src 'sha256-" + base64(sha256(page_script())) +
                        "'; style-src 'sha256-" + base64(sha256(page_style())) +
                        "'; img-src blob:; base-uri 'none'; form-action 'none'");
  EXPECT_NE(document.find("<style>" + std::string(page_style()) + "</style>"), std::string::npos);
}

}  // namespace
}  // namespace dt::exports
