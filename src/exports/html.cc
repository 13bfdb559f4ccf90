// See html.h.

#include "exports/html.h"

#include <fmt/core.h>
#include <web_assets.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "support/check.h"

namespace dt::exports {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib's largest window, and gzip's header
constexpr std::size_t kPiece = 64 << 10;

// The source expression of a Content-Security-Policy for a hash in hexadecimal digits.
std::string hash_source(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    unsigned byte = 0;
    std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
    bytes += static_cast<char>(byte);
  }
  return fmt::format("'sha256-{}'", base64(bytes));
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t word = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    for (std::size_t i = 0; i < 3; ++i) {
      word = word << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= count ? kLetters[word >> (18 - 6 * i) & 63] : '=';
    }
  }
  return out;
}

std::string_view page_script() { return web::kScript; }
std::string_view page_style() { return web::kStyle; }

// Cells of a heat map.
std::string_view page_icon() {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 3 3\">"
         "<path fill=\"#00224e\" d=\"M0 0h3v3H0z\"/><path fill=\"#7d7c78\" d=\"M1 1h2v1H1z\"/>"
         "<path fill=\"#fee838\" d=\"M0 2h1v1H0zM2 1h1v1H2z\"/></svg>\n";
}

std::string live_page() {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width\">\n<title>dtrace</title>\n"
         "<link rel=\"stylesheet\" href=\"/page.css\">\n</head>\n<body>\n"
         "<script src=\"/page.js\"></script>\n</body>\n</html>\n";
}

Html::Html() : stream_(std::make_unique<z_stream>()) {
  const int status = ::deflateInit2(stream_.get(), Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow,
                                    8, Z_DEFAULT_STRATEGY);
  DT_CHECK(status == Z_OK, "deflateInit2: {}", status);
}

Html::~Html() { ::deflateEnd(stream_.get()); }

void Html::deflate_all(int flush) {
  std::array<char, kPiece> piece;
  int status = Z_OK;
  do {
    stream_->next_out = reinterpret_cast<Bytef*>(piece.data());
    stream_->avail_out = piece.size();
    status = ::deflate(stream_.get(), flush);
    gzipped_.append(piece.data(), piece.size() - stream_->avail_out);
  } while (flush == Z_FINISH ? status != Z_STREAM_END : stream_->avail_out == 0);
}

void Html::add(std::string_view lines) {
  // zlib does not write to it.
  stream_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(lines.data()));
  stream_->avail_in = static_cast<uInt>(lines.size());
  deflate_all(Z_NO_FLUSH);
}

std::string Html::document() {
  stream_->avail_in = 0;
  deflate_all(Z_FINISH);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src {}; "
      "style-src {}; img-src blob:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<meta name=\"generator\" content=\"dtrace\">\n<title>dtrace</title>\n<style>{}</style>\n"
      "</head>\n<body>\n<script type=\"application/gzip\" id=\"data\">{}</script>\n"
      "<script>{}</script>\n</body>\n</html>\n",
      hash_source(web::kScriptHash), hash_source(web::kStyleHash), web::kStyle, base64(gzipped_),
      web::kScript);
}

}  // namespace dt::exports
