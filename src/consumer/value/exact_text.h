#pragma once
// A value as text for other programs, exact whatever the output is.

#include <string>

#include "consumer/value/value.h"

namespace dt::consumer {

// Bytes in hexadecimal, frames of stacks separated by ';'. csv_text() is the same, but escaped
// where the output wants names escaped.
std::string exact_text(FieldText& fields, const Value& value);

}  // namespace dt::consumer
