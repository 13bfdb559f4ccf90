// See printf_format.h.

#include "record/printf_format.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace dt::record {
namespace {

constexpr std::string_view kLetters = "aAcCdeEfgGiIkopPsSTuxXY";
constexpr std::string_view kSizes = "hlLw";
constexpr std::size_t kMaxSize = 2;  // letters of it
// The width of '?': as many hexadecimal digits as an address has.
constexpr std::int32_t kPointerWidth = 16;

constexpr std::string_view kScaled = "diuf";

struct Unit {
  std::string_view name;
  std::uint64_t divisor;
};
// Times are in ns and sizes in bytes before they are shown.
constexpr Unit kUnits[] = {
    {"us", 1'000},
    {"ms", 1'000'000},
    {"s", 1'000'000'000},
    {"min", 60'000'000'000},
    {"h", 3'600'000'000'000},
    {"KiB", std::uint64_t{1} << 10},
    {"MiB", std::uint64_t{1} << 20},
    {"GiB", std::uint64_t{1} << 30},
    {"TiB", std::uint64_t{1} << 40},
};

struct Supplied {
  std::string_view name;
  Supply supply;
};
constexpr Supplied kSupplied[] = {
    {"columns", Supply::kColumns},
    {"cpus", Supply::kCpus},
    {"lines", Supply::kLines},
    {"load1", Supply::kLoad1},
    {"load15", Supply::kLoad15},
    {"load5", Supply::kLoad5},
    {"memavailable", Supply::kMemAvailable},
    {"memfree", Supply::kMemFree},
    {"memtotal", Supply::kMemTotal},
    {"running", Supply::kRunning},
    {"swapfree", Supply::kSwapFree},
    {"swaptotal", Supply::kSwapTotal},
    {"threads", Supply::kThreads},
    {"uptime", Supply::kUptime},
};

template <typename T>
bool read_whole(std::string_view text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// "p99", "p99.9"
bool read_percentile(std::string_view text, FormatPiece& piece) {
  if (!text.starts_with('p') || piece.of_histogram()) return false;
  text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  std::uint32_t whole = 0;
  std::uint32_t thousandths = 0;
  if (!read_whole(text.substr(0, point), whole) || whole > 100) return false;
  if (point < text.size()) {
    std::string digits(text.substr(point + 1));
    if (digits.empty() || digits.size() > 3) return false;
    digits.resize(3, '0');
    if (!read_whole(std::string_view(digits), thousandths)) return false;
  }
  piece.percentile = static_cast<std::int32_t>(whole * 1000 + thousandths);
  return piece.percentile <= kWholePercentile;
}

bool read_unit(std::string_view text, FormatPiece& piece) {
  if (piece.divisor != 0) return false;
  const auto unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                 [&](const Unit& one) { return one.name == text; });
  if (unit != std::end(kUnits)) {
    piece.divisor = unit->divisor;
    return true;
  }
  return read_whole(text, piece.divisor) && piece.divisor != 0;
}

// Load averages are in hundredths, which are their unit.
bool read_supply(std::string_view text, FormatPiece& piece) {
  const auto found = std::find_if(std::begin(kSupplied), std::end(kSupplied),
                                  [&](const Supplied& one) { return one.name == text; });
  if (found == std::end(kSupplied) || piece.supply != Supply::kNone) return false;
  piece.supply = found->supply;
  const bool is_load = piece.supply == Supply::kLoad1 || piece.supply == Supply::kLoad5 ||
                       piece.supply == Supply::kLoad15;
  if (is_load && piece.divisor != 0) return false;
  if (is_load) piece.divisor = 100;
  return true;
}

// "%{load1}s"
bool is_unshown_number(const FormatPiece& piece) {
  return !piece.aggregation && kScaled.find(piece.conversion) == kScaled.npos &&
         std::any_of(std::begin(kSupplied), std::end(kSupplied),
                     [&](const Supplied& one) { return one.name == piece.modifier; });
}

// False when the letter has no such modifier.
bool read_modifier(FormatPiece& piece) {
  if (piece.conversion == 'Y') return !piece.modifier.empty();
  if (piece.conversion == 's' || piece.conversion == 'S') {
    piece.fit = piece.modifier == "fit" && !piece.aggregation;
    return piece.fit;
  }
  if (kScaled.find(piece.conversion) == kScaled.npos) return false;
  std::string_view rest = piece.modifier;
  for (bool is_last = false; !is_last;) {
    const std::size_t comma = rest.find(',');
    is_last = comma == rest.npos;
    const std::string_view part = rest.substr(0, comma);
    if (!is_last) rest.remove_prefix(comma + 1);
    if (part == "count" && !piece.of_histogram()) {
      piece.total = true;
    } else if (!read_percentile(part, piece) && !read_unit(part, piece) &&
               !read_supply(part, piece)) {
      return false;
    }
  }
  // %f of the machine without a unit: a number without decimals.
  if (piece.supply != Supply::kNone && piece.divisor == 0) piece.divisor = 1;
  return piece.aggregation ? piece.supply == Supply::kNone : !piece.of_histogram();
}

// Reads one conversion, from behind its '%' on.
class Reader {
 public:
  Reader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }
  // False when it is incomplete or unknown.
  bool read(FormatPiece& piece) {
    read_flags(piece);
    piece.aggregation = take('@');
    read_braces(piece);
    read_flags(piece);
    piece.width_argument = take('*');
    if (!piece.width_argument) piece.width = take('?') ? kPointerWidth : number();
    if (take('.')) {
      piece.precision_argument = take('*');
      if (!piece.precision_argument) piece.precision = number();
    }
    if (take('@')) {
      piece.aggregation = true;
      read_braces(piece);
    }
    while (piece.size.size() < kMaxSize && is_one_of(kSizes)) piece.size += text_[at_++];
    if (at_end()) return false;
    const bool is_known = is_one_of(kLetters);
    piece.conversion = text_[at_++];
    if (is_known && has_braces_ && !read_modifier(piece)) has_bad_modifier_ = true;
    return is_known && !has_bad_modifier_;
  }
  bool has_bad_modifier() const { return has_bad_modifier_; }
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
  void read_braces(FormatPiece& piece) {
    if (has_braces_ || !take('{')) return;
    has_braces_ = true;
    const std::size_t end = std::min(text_.find('}', at_), text_.size());
    piece.modifier = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    has_bad_modifier_ = piece.modifier.size() > kMaxModifier;
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
  bool has_braces_ = false;
  bool has_bad_modifier_ = false;
};

}  // namespace

Supply supply_of_machine(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kSupplied), std::end(kSupplied),
                                         [&](const Supplied& one) { return one.name == name; });
  const bool is_of_machine = found != std::end(kSupplied) && found->supply != Supply::kColumns &&
                             found->supply != Supply::kLines;
  return is_of_machine ? found->supply : Supply::kNone;
}

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
      using Flaw = FormatError::Kind;
      const Flaw flaw = piece.conversion == 0        ? Flaw::kIncomplete
                        : !reader.has_bad_modifier() ? Flaw::kUnknown
                        : is_unshown_number(piece)   ? Flaw::kNumber
                                                     : Flaw::kModifier;
      out.error = FormatError{flaw, piece.begin, piece.end};
    }
    text.append(format.substr(percent, at - percent));
  }
  if (!text.empty()) out.pieces.emplace_back().text = std::move(text);
  return out;
}

}  // namespace dt::record
