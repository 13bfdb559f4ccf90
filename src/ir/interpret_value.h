#pragma once
// The values that the interpreter computes with: their bytes in variables, keys and
// records, and how one is added to an aggregation.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/function.h"
#include "ir/value.h"
#include "record/aggregation.h"
#include "record/field.h"

namespace dt::ir {

// Appends `value`'s low `size` bytes, little-endian.
void append_int(Bytes& out, std::int64_t value, std::uint32_t size);
// The number that at most 8 bytes are, little-endian, without a sign.
std::int64_t to_int(std::span<const std::uint8_t> bytes);

// A string's bytes up to its NUL, at most capacity - 1 of them, zero-padded.
Bytes as_string(std::span<const std::uint8_t> text, std::uint32_t capacity);
// The bytes before the first NUL.
std::string_view text_of(const Bytes& bytes);
std::span<const std::uint8_t> bytes_of(const std::string& text);

// Whether storing it frees the variable: 0 or "".
bool is_empty(const Value& value);
Value zero(const Type& type);
// A value as a place of type `type` holds it.
Value stored(const Type& type, const Value& value);
// Appends a value as the field of a record or of a key.
void append_field(Bytes& out, const record::Field& field, const Value& value);

// Takes `value` (count ignores it) into the value words of one aggregation's element;
// `increment` is what a bucket of a histogram grows by.
void update_aggregation(const record::AggLayout& agg, std::vector<std::uint64_t>& words,
                        bool is_new, std::int64_t value, std::uint64_t increment);

}  // namespace dt::ir
