// See integer_text.h.

#include "support/integer_text.h"

#include "support/whole_number.h"

namespace dt::support {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int digit_value(char c) {
  if (is_digit(c)) {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

IntegerText parse_integer(std::string_view digits) {
  IntegerText out;
  unsigned base = 10;
  std::size_t at = 0;
  if (digits.size() > 1 && digits[0] == '0') {
    const bool hex = digits[1] == 'x' || digits[1] == 'X';
    base = hex ? 16 : 8;
    at = hex ? 2 : 1;
  }
  if (at == digits.size()) {
    return IntegerText{IntegerText::Status::kBadDigit, 0, at == 0 ? 0 : at - 1};
  }
  for (; at < digits.size(); ++at) {
    const int digit = digit_value(digits[at]);
    if (digit < 0 || static_cast<unsigned>(digit) >= base) {
      return IntegerText{IntegerText::Status::kBadDigit, 0, at};
    }
    if (__builtin_mul_overflow(out.value, std::uint64_t{base}, &out.value) ||
        __builtin_add_overflow(out.value, static_cast<std::uint64_t>(digit), &out.value)) {
      out.status = IntegerText::Status::kOverflow;  // a bad digit may still follow
    }
  }
  return out;
}

std::optional<std::uint64_t> hexadecimal(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
  }
  return whole_number<std::uint64_t>(text, 16);
}

}  // namespace dt::support
