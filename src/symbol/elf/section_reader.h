#pragma once
// Parts of a section, read from the file when they are asked for, so that of large
// debugging information only what is needed comes into memory. A section that is
// compressed is inflated as a whole at the first question.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "symbol/elf/file.h"

namespace dt::symbol {

class SectionReader {
 public:
  // size() is 0 if the file has no such section, cannot be read, or if the section is too large
  // when it is inflated.
  SectionReader(std::shared_ptr<const ElfFile> elf, std::string_view name);

  std::uint64_t size();
  // `size` bytes from `offset` on, or those that there are. They are in `room`, or held
  // here until let_go().
  std::span<const std::uint8_t> part(std::uint64_t offset, std::uint64_t size,
                                     ElfFile::Bytes& room);
  // The text at `offset`; empty when it has no end, or one that is too far.
  std::string text(std::uint64_t offset);

  // What was inflated, which can be done again.
  std::size_t held_bytes() const { return inflated_.size(); }
  void let_go();

 private:
  void inflate();

  std::shared_ptr<const ElfFile> elf_;
  std::string name_;
  ElfFile::Extent extent_;
  ElfFile::Bytes inflated_;
};

}  // namespace dt::symbol
