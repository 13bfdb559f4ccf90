// See packed.h.

#include "recording/packed.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "record/wire.h"
#include "recording/format.h"
#include "support/tagged.h"

namespace dt::recording {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t), kBits = 64;
constexpr std::size_t kMasks = kMaxPackedWords / kBits;

// Numbers are written as differences; other values repeat themselves as whole bytes, if at all.
bool is_number(record::FieldKind kind) {
  using record::FieldKind;
  switch (kind) {
    case FieldKind::kInt:
    case FieldKind::kProbeProv:
    case FieldKind::kProbeMod:
    case FieldKind::kProbeFunc:
    case FieldKind::kProbeName:
    case FieldKind::kErrnoName:
    case FieldKind::kSignalName:
    case FieldKind::kSyscallName:
    case FieldKind::kUserName:
    case FieldKind::kGroupName:
      return true;
    case FieldKind::kString:
    case FieldKind::kBytes:
    case FieldKind::kStack:
    case FieldKind::kUstack:
    case FieldKind::kSym:
    case FieldKind::kMod:
    case FieldKind::kUaddr:
    case FieldKind::kUsym:
    case FieldKind::kUmod:
      return false;
  }
  return false;
}

// A varint, as support::append_varint() has it, and the place behind it.
char* put_varint(char* at, std::uint64_t number) {
  while (number >= 0x80) {
    *at++ = static_cast<char>(0x80 | (number & 0x7f));
    number >>= 7;
  }
  *at++ = static_cast<char>(number);
  return at;
}

// What has changed of up to 64 words, and the place behind it; `known` are the words then.
char* put_changes(char* at, std::uint64_t* known, const char* words, std::size_t count,
                  std::uint64_t wants_raw, Shape::Block& block) {
  // A larger difference takes as much as the word, and repeats itself less.
  constexpr std::uint64_t kSmall = std::uint64_t{1} << 35;
  block = {0, 0, 0};
  std::uint64_t before = 0;  // folded: no word that has changed has 0
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, words + i * kWord, kWord);
    if (word == known[i]) continue;
    const std::uint64_t bit = std::uint64_t{1} << i;
    const std::uint64_t folded = support::folded_sign(static_cast<std::int64_t>(word - known[i]));
    known[i] = word;
    block.changed |= bit;
    if (folded >= kSmall || (wants_raw & bit) != 0) {
      block.raw |= bit;
    } else if (folded == before) {
      block.same |= bit;
    } else {
      at = put_varint(at, folded);
      before = folded;
    }
  }
  for (std::uint64_t raw = block.raw; raw != 0; raw &= raw - 1) {
    std::memcpy(at, &known[std::countr_zero(raw)], kWord);
    at += kWord;
  }
  return at;
}

char* put_new_shape(char* at, const Shape& shape) {
  at = put_varint(at, shape.epid);
  at = put_varint(at, shape.firing);
  for (std::size_t i = 0; i < shape.block_count(); ++i) {
    const Shape::Block& block = shape.blocks[i];
    at = put_varint(at, block.changed);
    if (block.changed == 0) continue;
    at = put_varint(at, block.raw);
    at = put_varint(at, block.same);
  }
  return at;
}

bool take_raw(std::string_view& from, std::uint64_t* words, std::uint64_t raw) {
  for (; raw != 0; raw &= raw - 1) {
    if (from.size() < kWord) return false;
    std::memcpy(&words[std::countr_zero(raw)], from.data(), kWord);
    from.remove_prefix(kWord);
  }
  return true;
}

// The other way of put_changes().
bool take_changes(std::string_view& from, std::uint64_t* words, const Shape::Block& block) {
  std::uint64_t folded = 0;
  for (std::uint64_t left = block.changed & ~block.raw; left != 0; left &= left - 1) {
    const bool is_same = (block.same & (left & -left)) != 0;
    if (!is_same && !support::take_varint(from, folded)) return false;
    words[std::countr_zero(left)] += static_cast<std::uint64_t>(support::unfolded_sign(folded));
  }
  return take_raw(from, words, block.raw);
}

// Of version 4: the masks stand before the differences of their words.
bool take_masks_and_changes(std::string_view& from, std::uint64_t* words, std::size_t count) {
  std::uint64_t changed = 0, raw = 0;
  if (!support::take_varint(from, changed)) return false;
  if (changed != 0 && !support::take_varint(from, raw)) return false;
  if (count < kBits && (changed | raw) >> count != 0) return false;
  for (std::uint64_t left = changed & ~raw; left != 0; left &= left - 1) {
    std::uint64_t folded = 0;
    if (!support::take_varint(from, folded)) return false;
    words[std::countr_zero(left)] += static_cast<std::uint64_t>(support::unfolded_sign(folded));
  }
  return take_raw(from, words, raw);
}

}  // namespace

Rows::Row* Rows::row_of(std::string_view record) {
  record::Header header{};
  if (record.size() < sizeof header || record.size() % kWord != 0 ||
      record.size() > kMaxPackedWords * kWord) {
    return nullptr;
  }
  std::memcpy(&header, record.data(), sizeof header);
  if (header.epid >= kMaxPackedEpids) return nullptr;
  if (header.epid >= rows_.size()) rows_.resize(header.epid + std::size_t{1});
  return &rows_[header.epid];
}

void Rows::keep(std::uint64_t firing, std::string_view record) {
  Row* const row = row_of(record);
  if (row == nullptr) return;
  row->firing = firing;
  row->words.resize(record.size() / kWord);
  std::memcpy(row->words.data(), record.data(), record.size());
}

void Rows::keep(const Shape& shape, Row& row) {
  if (row.shapes.size() >= kMostShapes) return;
  shapes_.push_back(shape);
  row.shapes.push_back(static_cast<std::uint32_t>(shapes_.size()));
}

void Rows::forget() {
  shapes_.clear();
  for (Row& row : rows_) {
    row.words.clear();
    row.shapes.clear();
  }
}

RecordPacker::RecordPacker(const record::Schema& schema) {
  raw_.resize(std::min(schema.epids.size() + 1, kMaxPackedEpids));
  for (std::size_t epid = 1; epid < raw_.size(); ++epid) {
    const record::Layout& layout = schema.layouts[schema.epids[epid - 1].layout];
    for (const record::Field& field : layout.fields) {
      if (is_number(field.type.kind)) continue;
      const std::size_t end = field.offset + field.type.size;
      for (std::size_t word = field.offset / kWord; word * kWord < end; ++word) {
        if (word < kMaxPackedWords) raw_[epid][word / kBits] |= std::uint64_t{1} << word % kBits;
      }
    }
  }
}

void RecordPacker::append(std::string& out, std::uint64_t firing, std::string_view record) {
  if (put_differences(firing, record)) return;
  flush(out);
  rows_.keep(firing, record);
  support::TaggedWriter writer(out);
  if (firing == 0) {
    writer.text(static_cast<std::uint32_t>(Entry::kRecord), record);
    return;
  }
  writer.within(static_cast<std::uint32_t>(Entry::kFiringRecord), [&](support::TaggedWriter& in) {
    in.number(1, firing);
    in.text(3, record);  // 2 was the CPU, which the record has
  });
}

void RecordPacker::flush(std::string& out) {
  if (used_ == 0) return;
  support::TaggedWriter(out).text(static_cast<std::uint32_t>(Entry::kRecords),
                                  std::string_view(waiting_).substr(0, used_));
  used_ = 0;
}

// False if the record must be whole.
bool RecordPacker::put_differences(std::uint64_t firing, std::string_view record) {
  Rows::Row* const row = rows_.row_of(record);
  const std::size_t count = record.size() / kWord;
  if (row == nullptr || row->words.size() != count) return false;
  // No difference takes more than its word, and no varint more than ten bytes.
  constexpr std::size_t kMost = kMaxPackedWords * kWord, kMostHead = (3 + 3 * kMasks) * 10;
  if (waiting_.size() < used_ + kMostHead + kMost) {
    waiting_.resize(used_ + kMostHead + kMost + kChunkBytes);
  }
  // Most numbers of shapes are a byte, which stands before the differences.
  char* const head = waiting_.data() + used_;
  char* const differences = head + 1;
  char* end = differences;
  Shape shape;
  shape.epid = static_cast<std::uint32_t>(row->words[0]);
  shape.words = static_cast<std::uint32_t>(count);
  shape.firing = support::folded_sign(static_cast<std::int64_t>(firing - row->firing));
  row->firing = firing;
  const Mask* const raw = shape.epid < raw_.size() ? &raw_[shape.epid] : nullptr;
  for (std::size_t i = 0; i < count; i += kBits) {
    end = put_changes(end, &row->words[i], record.data() + i * kWord, std::min(count - i, kBits),
                      raw == nullptr ? 0 : (*raw)[i / kBits], shape.blocks[i / kBits]);
  }
  const auto known = std::ranges::find_if(
      row->shapes, [&](std::uint32_t number) { return *rows_.shape(number) == shape; });
  if (known != row->shapes.end() && *known < 0x80) {
    *head = static_cast<char>(*known);
  } else {
    char text[kMostHead] = {0};
    char* at = text;
    if (known != row->shapes.end()) {
      at = put_varint(at, *known);
    } else {
      at = put_new_shape(at + 1, shape);
      rows_.keep(shape, *row);
    }
    std::memmove(head + (at - text), differences, static_cast<std::size_t>(end - differences));
    std::copy(text, at, head);
    end += at - text - 1;
  }
  used_ = static_cast<std::size_t>(end - waiting_.data());
  return true;
}

// nullptr if it is damaged.
const Shape* RecordUnpacker::take_shape(std::string_view& from) {
  std::uint64_t epid = 0;
  if (!support::take_varint(from, epid) || !support::take_varint(from, inline_.firing)) {
    return nullptr;
  }
  Rows::Row* const row = rows_.row_of(epid);
  if (row == nullptr || row->words.empty()) return nullptr;
  inline_.epid = static_cast<std::uint32_t>(epid);
  inline_.words = static_cast<std::uint32_t>(row->words.size());
  for (std::size_t i = 0; i < inline_.block_count(); ++i) {
    Shape::Block& block = inline_.blocks[i];
    block = {0, 0, 0};
    if (!support::take_varint(from, block.changed)) return nullptr;
    if (block.changed == 0) continue;
    if (!support::take_varint(from, block.raw) || !support::take_varint(from, block.same)) {
      return nullptr;
    }
    const std::size_t left = inline_.words - i * kBits;
    if (left < kBits && block.changed >> left != 0) return nullptr;
    if ((block.raw & ~block.changed) != 0) return nullptr;
    if ((block.same & ~(block.changed & ~block.raw)) != 0) return nullptr;
  }
  rows_.keep(inline_, *row);
  return &inline_;
}

bool RecordUnpacker::take_next(std::string_view& records, Record& out) {
  std::uint64_t number = 0;
  if (!support::take_varint(records, number)) return false;
  const Shape* const shape = number == 0 ? take_shape(records) : rows_.shape(number);
  if (shape == nullptr) return false;
  Rows::Row& row = *rows_.row_of(std::uint64_t{shape->epid});
  // A whole record of another length may have come since.
  if (row.words.size() != shape->words) return false;
  row.firing += static_cast<std::uint64_t>(support::unfolded_sign(shape->firing));
  for (std::size_t i = 0; i < shape->block_count(); ++i) {
    if (!take_changes(records, &row.words[i * kBits], shape->blocks[i])) return false;
  }
  out = {row.firing, {reinterpret_cast<const char*>(row.words.data()), row.words.size() * kWord}};
  return (row.words[0] & UINT32_MAX) == shape->epid;
}

bool RecordUnpacker::take_whole(std::string_view payload, Record& out) {
  support::TaggedReader reader(payload);
  support::Tagged field;
  out = {};
  while (reader.next(field)) {
    if (field.tag == 1) out.firing = field.number;
    if (field.tag == 3) out.bytes = field.text;
  }
  rows_.keep(out.firing, out.bytes);
  return !reader.is_damaged();
}

bool RecordUnpacker::take(std::string_view payload, Record& out) {
  std::uint64_t epid = 0, firing = 0;
  if (!support::take_varint(payload, epid) || !support::take_varint(payload, firing)) return false;
  Rows::Row* const row = rows_.row_of(epid);
  if (row == nullptr || row->words.empty()) return false;
  row->firing += static_cast<std::uint64_t>(support::unfolded_sign(firing));
  std::vector<std::uint64_t>& words = row->words;
  for (std::size_t i = 0; i < words.size(); i += kBits) {
    if (!take_masks_and_changes(payload, &words[i], std::min(words.size() - i, kBits))) {
      return false;
    }
  }
  out = {row->firing, {reinterpret_cast<const char*>(words.data()), words.size() * kWord}};
  return payload.empty() && (words[0] & UINT32_MAX) == epid;
}

}  // namespace dt::recording
