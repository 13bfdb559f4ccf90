// See floating.h.

#include "stap/home/floating.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace dt::stap {
namespace {

double real(const Value& value) { return std::bit_cast<double>(value.number); }
std::int64_t bits(double value) { return std::bit_cast<std::int64_t>(value); }

// The modes are those of IEEE 754 as SoftFloat numbers them. Beyond 64 bits the nearest number is
// given, and 0 for what is no number.
std::int64_t rounded(double value, std::int64_t mode) {
  constexpr std::int64_t kNearestEven = 0, kToZero = 1, kDown = 2, kUp = 3;
  const double whole = mode == kNearestEven ? std::nearbyint(value)
                       : mode == kToZero    ? std::trunc(value)
                       : mode == kDown      ? std::floor(value)
                       : mode == kUp        ? std::ceil(value)
                                            : std::round(value);
  constexpr double kEnd = 9223372036854775808.0;  // 2^63
  if (std::isnan(whole)) return 0;
  if (whole >= kEnd) return INT64_MAX;
  return whole < -kEnd ? INT64_MIN : static_cast<std::int64_t>(whole);
}

}  // namespace

bool compute_floating(Fn fn, const std::vector<Value>& in, Value& out) {
  switch (fn) {
    case Fn::fp_to_string: {
      constexpr std::int64_t kMost = 17;
      const auto digits = static_cast<int>(std::clamp<std::int64_t>(in[1].number, 0, kMost));
      out.text = fmt::format("{:.{}f}", real(in[0]), digits);
      return true;
    }
    case Fn::fp_to_long:
      out.number = rounded(real(in[0]), in[1].number);
      return true;
    case Fn::fp32_to_fp64:
      out.number =
          bits(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(in[0].number))));
      return true;
    case Fn::long_to_fp:
      out.number = bits(static_cast<double>(in[0].number));
      return true;
    case Fn::string_to_fp:
      out.number = bits(std::strtod(in[0].text.c_str(), nullptr));
      return true;
    case Fn::fp_add:
      out.number = bits(real(in[0]) + real(in[1]));
      return true;
    case Fn::fp_sub:
      out.number = bits(real(in[0]) - real(in[1]));
      return true;
    case Fn::fp_mul:
      out.number = bits(real(in[0]) * real(in[1]));
      return true;
    case Fn::fp_div:
      out.number = bits(real(in[0]) / real(in[1]));
      return true;
    case Fn::fp_rem:
      out.number = bits(std::remainder(real(in[0]), real(in[1])));
      return true;
    case Fn::fp_sqrt:
      out.number = bits(std::sqrt(real(in[0])));
      return true;
    case Fn::fp_lt:
      out.number = real(in[0]) < real(in[1]) ? 1 : 0;
      return true;
    case Fn::fp_le:
      out.number = real(in[0]) <= real(in[1]) ? 1 : 0;
      return true;
    case Fn::fp_eq:
      out.number = real(in[0]) == real(in[1]) ? 1 : 0;
      return true;
    default:
      return false;
  }
}

}  // namespace dt::stap
