// See printf_format.h.

#include "record/printf_format.h"

#include <algorithm>
#include <utility>

namespace dt::record {
namespace {

constexpr std::string_view kLetters = "aAcCdeEfgGiIkopPsSTuxXY";
constexpr std::string_view kSizes = "hlLw";
constexpr std::size_t kMaxSize = 2;  // letters of it
// The width of '?': as many hexadecimal digits as an address has.
constexpr std::int32_t kPointerWidth = 16;

// Reads one conversion, from behind its '%' on.
class Reader {
 public:
  Reader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }
  // False when it is incomplete or unknown.
  bool read(FormatPiece& piece) {
    read_flags(piece);
    piece.aggregation = take('@');
    read_flags(piece);
    piece.width_argument = take('*');
    if (!piece.width_argument) piece.width = take('?') ? kPointerWidth : number();
    if (take('.')) {
      piece.precision_argument = take('*');
      if (!piece.precision_argument) piece.precision = number();
    }
    piece.aggregation = take('@') || piece.aggregation;
    while (piece.size.size() < kMaxSize && is_one_of(kSizes)) piece.size += text_[at_++];
    if (at_end()) return false;
    const bool is_known = is_one_of(kLetters);
    piece.conversion = text_[at_++];
    return is_known;
  }
  bool at_end() const { return at_ >= text_.size(); }

 private:
  bool is_one_of(std::string_view letters) const {
    return !at_end() && letters.find(text_[at_]) != letters.npos;
  }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void read_flags(FormatPiece& piece) {
    for (; !at_end(); ++at_) {
      switch (text_[at_]) {
        case '-':
          piece.left = true;
          break;
        case '+':
          piece.plus = true;
          break;
        case ' ':
          piece.blank = true;
          break;
        case '0':
          piece.zero = true;
          break;
        case '#':
          piece.alternate = true;
          break;
        case '\'':  // grouping: the C locale has none
          break;
        default:
          return;
      }
    }
  }
  std::int32_t number() {
    std::int32_t value = 0;
    for (; is_one_of("0123456789"); ++at_) {
      value = std::min(value * 10 + (text_[at_] - '0'), kMaxWidth);
    }
    return value;
  }

  std::string_view text_;
  std::size_t at_;
};

}  // namespace

ParsedFormat parse_format(std::string_view format) {
  ParsedFormat out;
  std::string text;
  for (std::size_t at = 0; at < format.size();) {
    const std::size_t percent = std::min(format.find('%', at), format.size());
    text.append(format.substr(at, percent - at));
    if (percent == format.size()) break;
    at = percent + 1;
    if (at < format.size() && format[at] == '%') {
      text += '%';
      ++at;
      continue;
    }
    Reader reader(format, at);
    FormatPiece piece;
    const bool is_read = reader.read(piece);
    at = reader.at();
    piece.begin = static_cast<std::uint32_t>(percent);
    piece.end = static_cast<std::uint32_t>(at);
    if (is_read) {
      piece.text = std::exchange(text, {});
      out.pieces.push_back(std::move(piece));
      continue;
    }
    if (!out.error) {
      out.error = FormatError{
          piece.conversion == 0 ? FormatError::Kind::kIncomplete : FormatError::Kind::kUnknown,
          piece.begin, piece.end};
    }
    text.append(format.substr(percent, at - percent));
  }
  if (!text.empty()) out.pieces.emplace_back().text = std::move(text);
  return out;
}

}  // namespace dt::record
