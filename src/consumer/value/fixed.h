#pragma once
// Numbers with a fixed number of decimals, from integers alone: 12345678 ns as "12.346" ms.

#include <cstdint>
#include <string>

#include "consumer/value/format.h"

namespace dt::consumer {

__extension__ typedef __int128 Quotient128;

// numerator / denominator, where neither is rounded; the denominator is positive.
struct Quotient {
  Quotient128 numerator = 0;
  Quotient128 denominator = 1;
};

// Divides it further. What is more than 120 bits below the point is lost.
void divide_by(Quotient& quotient, std::uint64_t divisor);

// By the piece's unit: %f with its decimals (6 where it has none), rounded to the nearest, a half
// away from 0; %d, %i and %u cut off what is behind the point.
void append_fixed(std::string& out, const Piece& piece, Quotient quotient);

}  // namespace dt::consumer
