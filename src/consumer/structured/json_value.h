#pragma once
// Values as JSON, for structured output: exact, and resolved as text output
// resolves them.

#include <cstdint>
#include <string>
#include <vector>

#include "consumer/value/value.h"
#include "record/shape.h"
#include "support/json.h"

namespace dt::consumer {

// Members of the object that is open: "type", "value" and, for a string that
// is no UTF-8, "bytes" with all of it in hexadecimal.
void write_value(support::Json& json, FieldText& fields, const Value& value);

// The value alone.
void write_number(support::Json& json, const Number& number);
std::string hexadecimal(Bytes bytes);

// What print() recorded: structures are objects, arrays arrays, enumerators
// their names, pointers "0x..." and text strings.
void write_shaped(support::Json& json, const std::vector<record::Shape>& shapes,
                  std::uint32_t shape, Bytes bytes);

}  // namespace dt::consumer
