// Numbers and texts through their conversions.
//
// The conversions are those of printf(3) with D's own rules: the size of an argument comes from its
// type, not from a length modifier, so "%d" prints all 64 bits of an int64_t.

#include "consumer/value/format.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "consumer/value/text.h"

namespace dt::consumer {
namespace {

struct Digits {
  char text[24];  // a 64-bit number in octal has 22
  std::size_t length = 0;
};

Digits to_digits(std::uint64_t value, int base, bool upper) {
  Digits digits;
  const auto end = std::to_chars(digits.text, digits.text + sizeof digits.text, value, base).ptr;
  digits.length = static_cast<std::size_t>(end - digits.text);
  if (upper) {
    for (std::size_t i = 0; i < digits.length; ++i) {
      if (digits.text[i] >= 'a') {
        digits.text[i] = static_cast<char>(digits.text[i] - 'a' + 'A');
      }
    }
  }
  return digits;
}

// sign or 0x, zeros, digits; as C's printf lays them out. But a precision of 0 is none, so that
// 0 is always seen.
void append_integer(std::string& out, const Piece& piece, std::string_view sign,
                    std::string_view digits) {
  if (piece.width == 0 && piece.precision <= 0) {
    out.append(sign);
    out.append(digits);
    return;
  }
  const std::size_t width = static_cast<std::size_t>(piece.width);
  std::size_t zeros = 0;
  if (piece.precision > 0) {
    const auto precision = static_cast<std::size_t>(piece.precision);
    zeros = precision > digits.size() ? precision - digits.size() : 0;
  } else if (piece.zero && !piece.left && width > sign.size() + digits.size()) {
    zeros = width - sign.size() - digits.size();
  }
  const std::size_t total = sign.size() + zeros + digits.size();
  const std::size_t pad = width > total ? width - total : 0;
  if (!piece.left) {
    out.append(pad, ' ');
  }
  out.append(sign);
  out.append(zeros, '0');
  out.append(digits);
  if (piece.left) {
    out.append(pad, ' ');
  }
}

void append_decimal(std::string& out, const Piece& piece, const Number& number) {
  const auto value = static_cast<std::int64_t>(number.bits);
  const bool negative = number.is_signed && value < 0;
  const Digits digits =
      to_digits(negative ? std::uint64_t{0} - number.bits : number.bits, 10, false);
  std::string_view sign;
  if (negative) {
    sign = "-";
  } else if (number.is_signed && piece.plus) {
    sign = "+";
  } else if (number.is_signed && piece.blank) {
    sign = " ";
  }
  append_integer(out, piece, sign, {digits.text, digits.length});
}

std::uint64_t truncate(const Number& number) {
  return number.size >= 8 ? number.bits : number.bits & ((1ULL << (8 * number.size)) - 1);
}

std::uint64_t sign_extend(const Number& number) {
  const std::uint32_t unused = number.size >= 8 ? 0 : 64 - 8 * number.size;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(number.bits << unused) >> unused);
}

void append_signed_decimal(std::string& out, const Piece& piece, const Number& number) {
  append_decimal(out, piece, Number{sign_extend(number), number.size, true});
}

void append_radix(std::string& out, const Piece& piece, std::uint64_t value) {
  switch (piece.conversion) {
    case 'o': {
      const Digits digits = to_digits(value, 8, false);
      append_integer(out, piece, piece.alternate && value != 0 ? "0" : "",
                     {digits.text, digits.length});
      return;
    }
    case 'X': {
      const Digits digits = to_digits(value, 16, true);
      append_integer(out, piece, piece.alternate && value != 0 ? "0X" : "",
                     {digits.text, digits.length});
      return;
    }
    default: {
      const Digits digits = to_digits(value, 16, false);
      append_integer(out, piece, piece.alternate && value != 0 ? "0x" : "",
                     {digits.text, digits.length});
      return;
    }
  }
}

}  // namespace

void set_width(Piece& piece, std::int64_t width) {
  if (width < 0) {
    piece.left = true;
    width = width < -kMaxWidth ? kMaxWidth : -width;
  }
  piece.width = static_cast<std::int32_t>(std::min<std::int64_t>(width, kMaxWidth));
}

void set_precision(Piece& piece, std::int64_t precision) {
  piece.precision =
      precision < 0 ? -1 : static_cast<std::int32_t>(std::min<std::int64_t>(precision, kMaxWidth));
}

void append_number(std::string& out, const Piece& piece, const Number& number) {
  switch (piece.conversion) {
    case 'u':
      append_decimal(out, piece, Number{truncate(number), number.size, false});
      return;
    case 'i':
      append_signed_decimal(out, piece, number);
      return;
    case 'd':
      if (piece.size.empty()) {
        append_decimal(out, piece, number);
      } else {
        append_signed_decimal(out, piece, number);
      }
      return;
    case 'o':
    case 'x':
    case 'X':
    case 'p':
      append_radix(out, piece, truncate(number));
      return;
    case 'C': {
      const auto c = static_cast<char>(number.bits);
      std::string escaped;
      append_c_escaped(escaped, {&c, 1});
      append_padded(out, escaped, static_cast<std::size_t>(piece.width), piece.left);
      return;
    }
    case 'Y':
      append_text(out, piece,
                  piece.modifier.empty()
                      ? date_text(static_cast<std::int64_t>(number.bits))
                      : time_text(static_cast<std::int64_t>(number.bits), piece.modifier));
      return;
    case 'T':
      append_text(out, piece, rfc822_text(static_cast<std::int64_t>(number.bits)));
      return;
    case 'P':
      append_text(out, piece, port_text(static_cast<std::uint16_t>(number.bits)));
      return;
    default:
      append_decimal(out, piece, number);
      return;
  }
}

bool is_float_conversion(char conversion) {
  switch (conversion) {
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G':
      return true;
    default:
      return false;
  }
}

bool is_integer_conversion(char conversion) {
  switch (conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      return true;
    default:
      return false;
  }
}

void append_float(std::string& out, const Piece& piece, long double value) {
  std::string format = "%";
  format += piece.left ? "-" : "";
  format += piece.plus ? "+" : "";
  format += piece.blank ? " " : "";
  format += piece.zero ? "0" : "";
  format += piece.alternate ? "#" : "";
  format += "*.*L";
  format += piece.conversion;
  const int length = std::snprintf(nullptr, 0, format.c_str(), piece.width, piece.precision, value);
  if (length <= 0) {
    return;
  }
  const std::size_t begin = out.size();
  out.resize(begin + static_cast<std::size_t>(length) + 1);
  std::snprintf(out.data() + begin, static_cast<std::size_t>(length) + 1, format.c_str(),
                piece.width, piece.precision, value);
  out.pop_back();
}

void append_text(std::string& out, const Piece& piece, std::string_view text) {
  if (piece.precision > 0) {  // 0 is none, unlike in C
    text = text.substr(0, static_cast<std::size_t>(piece.precision));
  }
  append_padded(out, text, static_cast<std::size_t>(piece.width), piece.left);
}

}  // namespace dt::consumer
