#pragma once
// Records as their differences to the record before them of the same EPID.
//
// Most words of successive records are equal, times and counters grow by a little, and it is mostly
// the same words that change. So a record is the number of its shape, and what differs:
//
//     records = (varint(number) differences | varint(0) shape differences)*     Entry::kRecords
//     shape   = varint(epid) varint(folded_sign(difference of the firing's number, 0 if none))
//               for each 64 words:
//                   varint(changed) [varint(raw) varint(same)]    a bit for each word; the others
//                                                                 if any has changed
//     differences = for each 64 words:
//               varint(folded_sign(difference))    for each changed word: neither raw nor same
//               8 bytes                            for each raw word
//
// A word is `same` if it has grown by what the word before it has grown by: a time that the program
// records itself, and that of the firing. Texts and stacks are raw, since zstd finds what is
// repeated only where its bytes are whole. Shapes are numbered from 1 in the order in which they
// are written, but of an EPID only the first kMostShapes. The first record of an EPID in a chunk is
// whole, and numbers of shapes begin again: each chunk can be read without those before it.
//
// In recordings of version 4 a record was an entry of its own: its shape, without `same`, and
// the differences behind each 64 words of it (Entry::kPackedRecord).

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
// Of an EPID, that have a number.
constexpr std::size_t kMostShapes = 8;

// Which words of a record have changed, and how they are written.
struct Shape {
  struct Block {  // 64 words
    std::uint64_t changed, raw, same;
    bool operator==(const Block&) const = default;
  };
  std::uint32_t epid = 0;
  std::uint32_t words = 0;
  std::uint64_t firing = 0;                        // the difference, folded
  std::array<Block, kMaxPackedWords / 64> blocks;  // as many as there are words for

  std::size_t block_count() const { return (words + 63) / 64; }
  bool operator==(const Shape& other) const {
    if (epid != other.epid || words != other.words || firing != other.firing) return false;
    for (std::size_t i = 0; i < block_count(); ++i) {
      if (blocks[i] != other.blocks[i]) return false;
    }
    return true;
  }
};

// The latest record of each EPID, and the shapes of a chunk.
class Rows {
 public:
  struct Row {
    std::uint64_t firing = 0;
    std::vector<std::uint64_t> words;   // none: the next one is whole
    std::vector<std::uint32_t> shapes;  // their numbers
  };
  // Where the record's row is, or is to be; nullptr if such a record is always whole.
  Row* row_of(std::string_view record);
  Row* row_of(std::uint64_t epid) { return epid < rows_.size() ? &rows_[epid] : nullptr; }
  // Remembers a record that is whole.
  void keep(std::uint64_t firing, std::string_view record);
  // A shape that was written: it has the next number, unless its EPID has too many.
  void keep(const Shape& shape, Row& row);
  // nullptr if there is none of this number.
  const Shape* shape(std::uint64_t number) const {
    return number - 1 < shapes_.size() ? &shapes_[number - 1] : nullptr;
  }
  // The next record of each EPID is whole.
  void forget();

 private:
  std::vector<Row> rows_;
  std::vector<Shape> shapes_;
};

class RecordPacker {
 public:
  explicit RecordPacker(const record::Schema& schema);
  // Takes a record. One that must be whole is appended to `out`, behind what waits.
  void append(std::string& out, std::uint64_t firing, std::string_view record);
  // Bytes of records that have not been appended yet.
  std::size_t waiting() const { return used_; }
  // Appends the entry of what waits.
  void flush(std::string& out);
  // flush() was called.
  void begin_chunk() { rows_.forget(); }

 private:
  using Mask = std::array<std::uint64_t, kMaxPackedWords / 64>;
  bool put_differences(std::uint64_t firing, std::string_view record);

  Rows rows_;
  std::vector<Mask> raw_;  // by EPID: the words whose differences say nothing
  std::string waiting_;    // what waits is its beginning
  std::size_t used_ = 0;
};

class RecordUnpacker {
 public:
  struct Record {
    std::uint64_t firing = 0;
    std::string_view bytes;  // valid until the next call
  };
  // Takes the next record from the text of an entry that has several. False if it is damaged.
  bool take_next(std::string_view& records, Record& out);
  // The record of a packed entry of version 4.
  bool take(std::string_view payload, Record& out);
  // The same of a record that is whole and has a firing.
  bool take_whole(std::string_view payload, Record& out);
  // A record that is whole and has none.
  void keep(std::string_view record) { rows_.keep(0, record); }
  void begin_chunk() { rows_.forget(); }

 private:
  const Shape* take_shape(std::string_view& from);

  Rows rows_;
  Shape inline_;
};

}  // namespace dt::recording
