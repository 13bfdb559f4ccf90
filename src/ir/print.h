#pragma once
// The text form of the IR (see docs/ir.md). ir/parse.h reads it back:
// print(parse(print(p))) == print(p).

#include <string>

#include "ir/ir.h"
#include "support/source.h"

namespace dt::ir {

// With `sources`, every instruction ends with a comment "; line:column".
std::string print(const Program& program, const Sources* sources = nullptr);
// The blocks of a function alone.
std::string print(const Function& fn, const Sources* sources = nullptr);

std::string to_string(const Type& type);               // "s64", "str16", "bytes8"
std::string to_string(const record::FieldType& type);  // "int8s", "str16", "usym"
// "count", "lquantize(0, 100, 10)"
std::string to_string(record::AggFunc func, const record::AggParams& params);

}  // namespace dt::ir
