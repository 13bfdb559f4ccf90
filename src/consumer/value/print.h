#pragma once
// The output of print(): a value with its type, structures member by
// member:
//
//     foo_t {
//         int a = 0x1
//         void *b = 0x2
//         char [30] name = [ "ab" ]
//     }

#include <cstdint>
#include <string>
#include <vector>

#include "consumer/value/text.h"
#include "record/shape.h"

namespace dt::consumer {

// Appends the type and value of `bytes`, without a newline at the end. Every
// character of the value is printable ASCII. Bytes that are missing are zeros.
void append_print(std::string& out, const std::vector<record::Shape>& shapes, std::uint32_t shape,
                  Bytes bytes);

// Pieces of it, for other forms of output. `count` bits from bit `offset` on,
// little-endian, at most 64:
std::uint64_t bits_at(Bytes bytes, std::uint32_t offset, std::uint32_t count);
std::int64_t sign_extended(std::uint64_t value, std::uint32_t bits);
// The part of `bytes` at `offset`; what is not there is left out.
Bytes part_of(Bytes bytes, std::size_t offset, std::size_t size);
// A member's bytes; a string's are all that follow: it ends itself.
Bytes member_of(Bytes bytes, const record::Shape::Member& member, const record::Shape& shape);
// Whether an array of char holds text: printable, then only NULs.
bool is_text(const std::vector<record::Shape>& shapes, const record::Shape& shape, Bytes bytes);
// nullptr for a value without a name.
const std::string* enumerator_name(const record::Shape& shape, std::uint64_t raw,
                                   std::uint32_t bits);
long double float_at(Bytes bytes);  // float, double or long double, by size

}  // namespace dt::consumer
