#pragma once
// The output of print(): a value with its type, structures member by member
// (dtrace.md 1.8):
//
//     foo_t {
//         int a = 0x1
//         void *b = 0x2
//         char [30] name = [ "ab" ]
//     }

#include <cstdint>
#include <string>
#include <vector>

#include "consumer/text.h"
#include "record/shape.h"

namespace dt::consumer {

// Appends the type and value of `bytes`, without a newline at the end. Every
// character of the value is printable ASCII. Bytes that are missing are zeros.
void append_print(std::string& out, const std::vector<record::Shape>& shapes, std::uint32_t shape,
                  Bytes bytes);

}  // namespace dt::consumer
