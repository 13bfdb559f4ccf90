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

// Tag and length of a text, as support::TaggedWriter has them, but of two bytes each.
void put_tag_and_length(char* at, std::size_t length) {
  constexpr auto kTag = static_cast<std::uint32_t>(Entry::kPackedRecord) << 3 | 2;
  static_assert(kTag >= 1U << 7 && kTag < 1U << 14);
  for (const std::size_t number : {std::size_t{kTag}, length}) {
    *at++ = static_cast<char>(0x80 | (number & 0x7f));
    *at++ = static_cast<char>(number >> 7);
  }
}

// What has changed of up to 64 words, and the place behind it; `known` are the words then.
char* put_changes(char* at, std::uint64_t* known, const char* words, std::size_t count,
                  std::uint64_t wants_raw) {
  // A larger difference takes as much as the word, and repeats itself less.
  constexpr std::uint64_t kSmall = std::uint64_t{1} << 35;
  std::uint64_t changed = 0, raw = 0;
  char numbers[kBits * kWord];
  char* end = numbers;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, words + i * kWord, kWord);
    if (word == known[i]) continue;
    const std::uint64_t bit = std::uint64_t{1} << i;
    const std::uint64_t folded = support::folded_sign(static_cast<std::int64_t>(word - known[i]));
    known[i] = word;
    changed |= bit;
    if (folded < kSmall && (wants_raw & bit) == 0) {
      end = put_varint(end, folded);
    } else {
      raw |= bit;
    }
  }
  at = put_varint(at, changed);
  if (changed == 0) return at;
  at = put_varint(at, raw);
  at = std::copy(numbers, end, at);
  for (; raw != 0; raw &= raw - 1) {
    std::memcpy(at, &known[std::countr_zero(raw)], kWord);
    at += kWord;
  }
  return at;
}

// The other way.
bool take_changes(std::string_view& from, std::uint64_t* words, std::size_t count) {
  std::uint64_t changed = 0, raw = 0;
  if (!support::take_varint(from, changed)) return false;
  if (changed != 0 && !support::take_varint(from, raw)) return false;
  if (count < kBits && (changed | raw) >> count != 0) return false;
  for (std::uint64_t left = changed & ~raw; left != 0; left &= left - 1) {
    std::uint64_t folded = 0;
    if (!support::take_varint(from, folded)) return false;
    words[std::countr_zero(left)] += static_cast<std::uint64_t>(support::unfolded_sign(folded));
  }
  for (; raw != 0; raw &= raw - 1) {
    if (from.size() < kWord) return false;
    std::memcpy(&words[std::countr_zero(raw)], from.data(), kWord);
    from.remove_prefix(kWord);
  }
  return true;
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

void Rows::forget() {
  for (Row& row : rows_) row.words.clear();
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
  if (append_differences(out, firing, record)) return;
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

// False if the record must be whole.
bool RecordPacker::append_differences(std::string& out, std::uint64_t firing,
                                      std::string_view record) {
  Rows::Row* const row = rows_.row_of(record);
  const std::size_t count = record.size() / kWord;
  if (row == nullptr || row->words.size() != count) return false;
  const std::uint64_t epid = row->words[0] & UINT32_MAX;
  const Mask* const raw = epid < raw_.size() ? &raw_[epid] : nullptr;
  // Tag and length, which are written last; no difference takes more than its word, and no varint
  // more than ten bytes.
  constexpr std::size_t kHead = 4;
  char entry[kHead + kMaxPackedWords * kWord + (2 * kMasks + 2) * 10];
  char* at = put_varint(entry + kHead, epid);
  at = put_varint(at, support::folded_sign(static_cast<std::int64_t>(firing - row->firing)));
  row->firing = firing;
  for (std::size_t i = 0; i < count; i += kBits) {
    at = put_changes(at, &row->words[i], record.data() + i * kWord, std::min(count - i, kBits),
                     raw == nullptr ? 0 : (*raw)[i / kBits]);
  }
  put_tag_and_length(entry, static_cast<std::size_t>(at - entry) - kHead);
  out.append(entry, at);
  return true;
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
    if (!take_changes(payload, &words[i], std::min(words.size() - i, kBits))) return false;
  }
  out = {row->firing, {reinterpret_cast<const char*>(words.data()), words.size() * kWord}};
  return payload.empty() && (words[0] & UINT32_MAX) == epid;
}

}  // namespace dt::recording
