// Decimals by long division, one digit at a time, so that 64-bit numbers keep all of theirs; a
// double has 53 bits.

#include "consumer/value/fixed.h"

#include <algorithm>

#include "consumer/value/text.h"

namespace dt::consumer {
namespace {

// Ten times a remainder, which is smaller than the denominator, must fit.
constexpr Quotient128 kMaxDenominator = Quotient128{1} << 120;
constexpr std::int32_t kDecimals = 6;
constexpr std::int32_t kMaxDecimals = 1000;  // of a `*` that a traced program gives

std::string digits_of(Quotient128 number) {
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(number % 10));
    number /= 10;
  } while (number != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

// Adds one to the last digit; a carry out of the first one is a digit of its own.
void increment(std::string& digits) {
  for (std::size_t at = digits.size(); at-- > 0;) {
    if (digits[at] == '.') continue;
    if (digits[at] != '9') {
      ++digits[at];
      return;
    }
    digits[at] = '0';
  }
  digits.insert(digits.begin(), '1');
}

}  // namespace

void divide_by(Quotient& quotient, std::uint64_t divisor) {
  if (divisor <= 1) return;
  const auto by = static_cast<Quotient128>(divisor);
  if (quotient.denominator > kMaxDenominator / by) {
    quotient.numerator /= quotient.denominator;
    quotient.denominator = 1;
  }
  quotient.denominator *= by;
}

void append_fixed(std::string& out, const Piece& piece, Quotient quotient) {
  divide_by(quotient, piece.divisor);
  const bool is_whole = !is_float_conversion(piece.conversion);
  const bool is_negative = quotient.numerator < 0;
  const Quotient128 magnitude = is_negative ? -quotient.numerator : quotient.numerator;
  std::string digits = digits_of(magnitude / quotient.denominator);
  Quotient128 rest = magnitude % quotient.denominator;
  const std::int32_t asked = piece.precision < 0 ? kDecimals : piece.precision;
  const std::int32_t decimals = is_whole ? 0 : std::min(asked, kMaxDecimals);
  if (decimals > 0 || (piece.alternate && !is_whole)) digits += '.';
  for (std::int32_t i = 0; i < decimals; ++i) {
    rest *= 10;
    digits += static_cast<char>('0' + static_cast<int>(rest / quotient.denominator));
    rest %= quotient.denominator;
  }
  if (!is_whole && rest * 2 >= quotient.denominator) increment(digits);
  // What is shown as 0 has no sign.
  const bool is_zero = digits.find_first_not_of("0.") == std::string::npos;
  std::string text = is_negative && !is_zero ? "-" : piece.plus ? "+" : piece.blank ? " " : "";
  const auto width = static_cast<std::size_t>(piece.width);
  if (piece.zero && !piece.left && width > text.size() + digits.size()) {
    text.append(width - text.size() - digits.size(), '0');
  }
  text += digits;
  append_padded(out, text, width, piece.left);
}

}  // namespace dt::consumer
