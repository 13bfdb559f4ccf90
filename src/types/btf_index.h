#pragma once
// Where the names of BTF are. BTF has no index: to find a name, or the record of a number, a reader
// walks over all records before it, of which a kernel has more than 100,000. An index is made once,
// of bytes that do not change, and answers the same questions by reading some tens of bytes.
//
//   head | where each 64th record begins | where each bucket begins | entries, bucket by bucket
//
// An entry is the hash of a name, and the number of the type that has it; of an enumerator, that of
// its enumeration. So an answer is a list of candidates: the caller compares the names.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/fd.h"

namespace dt::types {

class BtfIndex {
 public:
  // Of such bytes, or of a file that has them from `offset` to its end, and is read when it is
  // asked. nullopt: something is missing.
  static std::optional<BtfIndex> of(std::string bytes);
  static std::optional<BtfIndex> of(Fd file, std::size_t offset);

  // With number 0.
  std::uint32_t type_count() const { return head_.type_count; }

  // Where in the type section a record begins: that of this number, or one of the kStride - 1
  // before it.
  static constexpr std::uint32_t kStride = 64;
  std::uint32_t start_of(std::uint32_t id) const { return starts_[id / kStride]; }

  // Numbers of types, ascending, among which are all that have this name, or of enumerations, among
  // which are all that have an enumerator of this name. nullopt: the file cannot be read.
  std::optional<std::vector<std::uint32_t>> types_named(std::string_view name) const;
  std::optional<std::vector<std::uint32_t>> enumerations_with(std::string_view name) const;

 private:
  struct Head {
    char magic[16] = {};
    std::uint32_t type_count = 0, buckets = 0, entries = 0, zero = 0;
  };
  friend class BtfIndexMaker;
  BtfIndex() = default;

  static std::optional<BtfIndex> opened(BtfIndex index, std::size_t bytes);
  std::optional<std::vector<std::uint32_t>> candidates(std::string_view name,
                                                       bool of_enumerator) const;
  bool read(std::size_t offset, void* to, std::size_t bytes) const;
  static std::uint32_t start_count(std::uint32_t type_count) {
    return (type_count - 1) / kStride + 1;
  }

  std::string bytes_;
  Fd file_;  // or here, from offset_
  std::size_t offset_ = 0;
  Head head_;
  std::vector<std::uint32_t> starts_;
};

// Makes the bytes of an index.
class BtfIndexMaker {
 public:
  // All types in the order of their numbers, from 1: where each begins, and its name.
  void add_type(std::size_t begin, std::string_view name);
  // Of the type that was added last.
  void add_enumerator(std::string_view name);
  // nullopt: there is too much of them.
  std::optional<std::string> bytes() const;

 private:
  struct Entry {
    std::uint32_t hash, id;
  };
  std::vector<std::uint32_t> starts_;
  std::vector<Entry> entries_;
  std::uint32_t last_ = 0;
};

}  // namespace dt::types
