#pragma once
// A record as its differences to the record before it of the same EPID.
//
// Most words of successive records are equal, and times and counters grow by a little. What is
// written of a record are the words that have changed:
//
//     varint(epid) varint(folded_sign(difference of the number of the firing, 0 if it has none))
//     for each 64 words:
//         varint(changed) [varint(raw)]      a bit for each word; raw if any has changed
//         varint(folded_sign(difference))    for each changed word that is not raw
//         8 bytes                            for each raw word
//
// Texts and stacks are raw, since zstd finds what is repeated only where its bytes are whole. The
// first record of an EPID in a chunk is whole, so each chunk can be read without those before it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "record/schema.h"

namespace dt::recording {

// Records that have more words, or an EPID beyond these, are always whole.
constexpr std::size_t kMaxPackedWords = 256, kMaxPackedEpids = 1 << 12;

// The latest record of each EPID.
class Rows {
 public:
  struct Row {
    std::uint64_t firing = 0;
    std::vector<std::uint64_t> words;  // none: the next one is whole
  };
  // Where the record's row is, or is to be; nullptr if such a record is always whole.
  Row* row_of(std::string_view record);
  Row* row_of(std::uint64_t epid) { return epid < rows_.size() ? &rows_[epid] : nullptr; }
  // Remembers a record that is whole.
  void keep(std::uint64_t firing, std::string_view record);
  // The next record of each EPID is whole.
  void forget();

 private:
  std::vector<Row> rows_;
};

class RecordPacker {
 public:
  explicit RecordPacker(const record::Schema& schema);
  // Appends the entry of a record.
  void append(std::string& out, std::uint64_t firing, std::string_view record);
  void begin_chunk() { rows_.forget(); }

 private:
  using Mask = std::array<std::uint64_t, kMaxPackedWords / 64>;
  bool append_differences(std::string& out, std::uint64_t firing, std::string_view record);

  Rows rows_;
  std::vector<Mask> raw_;  // by EPID: the words whose differences say nothing
};

class RecordUnpacker {
 public:
  struct Record {
    std::uint64_t firing = 0;
    std::string_view bytes;  // valid until the next call
  };
  // The record of a packed entry. False if the payload is damaged.
  bool take(std::string_view payload, Record& out);
  // The same of a record that is whole and has a firing.
  bool take_whole(std::string_view payload, Record& out);
  // A record that is whole and has none.
  void keep(std::string_view record) { rows_.keep(0, record); }
  void begin_chunk() { rows_.forget(); }

 private:
  Rows rows_;
};

}  // namespace dt::recording
