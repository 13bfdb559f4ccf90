// The bytes of values in variables, keys and records, and how aggregations are updated.

#include "ir/interpret_value.h"

#include <algorithm>

#include "ir/evaluate.h"

namespace dt::ir {

namespace {

__extension__ typedef unsigned __int128 Wide;

// Adds to the 128-bit number in two words.
void add_wide(std::vector<std::uint64_t>& words, std::size_t index, Wide value) {
  const Wide sum = (Wide{words[index + 1]} << 64 | words[index]) + value;
  words[index] = static_cast<std::uint64_t>(sum);
  words[index + 1] = static_cast<std::uint64_t>(sum >> 64);
}

}  // namespace

void append_int(Bytes& out, std::int64_t value, std::uint32_t size) {
  for (std::uint32_t i = 0; i < size; ++i) {
    out.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i)));
  }
}

std::int64_t to_int(std::span<const std::uint8_t> bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
  return static_cast<std::int64_t>(value);
}

Bytes as_string(std::span<const std::uint8_t> text, std::uint32_t capacity) {
  Bytes out(capacity, 0);
  for (std::size_t i = 0; i + 1 < capacity && i < text.size() && text[i] != 0; ++i)
    out[i] = text[i];
  return out;
}

std::string_view text_of(const Bytes& bytes) {
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  return {text, static_cast<std::size_t>(std::find(bytes.begin(), bytes.end(), 0) - bytes.begin())};
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

bool is_empty(const Value& value) {
  return value.integer == 0 && (value.bytes.empty() || value.bytes[0] == 0);
}

Value zero(const Type& type) {
  Value value;
  if (type.kind != TypeKind::kInt) value.bytes.assign(type.size, 0);
  return value;
}

Value stored(const Type& type, const Value& value) {
  Value out;
  if (type.kind == TypeKind::kInt) {
    out.integer = extend(type, value.integer);
  } else if (type.kind == TypeKind::kString) {
    out.bytes = as_string(value.bytes, type.size);
  } else {
    out.bytes = value.bytes;
    out.bytes.resize(type.size, 0);
  }
  return out;
}

void append_field(Bytes& out, const record::Field& field, const Value& value) {
  out.resize(field.offset, 0);
  switch (field.type.kind) {
    case record::FieldKind::kInt:
    case record::FieldKind::kSym:
    case record::FieldKind::kMod:
    case record::FieldKind::kProbeProv:
    case record::FieldKind::kProbeMod:
    case record::FieldKind::kProbeFunc:
    case record::FieldKind::kProbeName:
    case record::FieldKind::kErrnoName:
    case record::FieldKind::kSignalName:
    case record::FieldKind::kSyscallName:
    case record::FieldKind::kUserName:
    case record::FieldKind::kGroupName:
      append_int(out, value.integer, field.type.size);
      return;
    case record::FieldKind::kString: {
      const Bytes text = as_string(value.bytes, field.type.size);
      out.insert(out.end(), text.begin(), text.end());
      return;
    }
    case record::FieldKind::kBytes:
    case record::FieldKind::kStack:
    case record::FieldKind::kUstack:
    case record::FieldKind::kUaddr:
    case record::FieldKind::kUsym:
    case record::FieldKind::kUmod: {
      Bytes raw = value.bytes;
      raw.resize(field.type.size, 0);
      out.insert(out.end(), raw.begin(), raw.end());
      return;
    }
  }
}

void update_aggregation(const record::AggLayout& agg, std::vector<std::uint64_t>& words,
                        bool is_new, std::int64_t value, std::uint64_t increment) {
  const auto bits = static_cast<std::uint64_t>(value);
  switch (agg.func) {
    case record::AggFunc::kCount:
      words[0] += 1;
      return;
    case record::AggFunc::kSum:
      words[0] += bits;
      return;
    case record::AggFunc::kMin:
      if (is_new || value < static_cast<std::int64_t>(words[0])) words[0] = bits;
      return;
    case record::AggFunc::kMax:
      if (is_new || value > static_cast<std::int64_t>(words[0])) words[0] = bits;
      return;
    case record::AggFunc::kAvg:
      words[0] += 1;
      add_wide(words, 1, Wide{bits} | (value < 0 ? ~Wide{0} << 64 : 0));
      return;
    case record::AggFunc::kStddev: {
      words[0] += 1;
      add_wide(words, 1, Wide{bits} | (value < 0 ? ~Wide{0} << 64 : 0));
      const std::uint64_t magnitude = value < 0 ? 0 - bits : bits;
      add_wide(words, 3, Wide{magnitude} * magnitude);
      return;
    }
    case record::AggFunc::kQuantize:
      words[record::quantize_bucket(value)] += increment;
      return;
    case record::AggFunc::kLquantize:
      words[record::lquantize_bucket(agg.params, value)] += increment;
      return;
    case record::AggFunc::kLlquantize:
      words[record::llquantize_bucket(record::llquantize_boundaries(agg.params), value)] +=
          increment;
      return;
  }
}

}  // namespace dt::ir
