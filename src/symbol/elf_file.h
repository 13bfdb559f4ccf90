#pragma once
// The sections of an ELF file, read with bounds: files of other people are
// untrusted, and a file may change while it is read. 64-bit, little-endian.
//
//   header | ... sections ... | section headers, one of which names them all
//
// Nothing is mapped: a file that shrinks must not kill us.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/fd.h"
#include "support/result.h"

namespace dt::symbol {

class ElfFile {
 public:
  using Bytes = std::vector<std::uint8_t>;

  // `path` must be a regular file: a FIFO would block.
  static Result<ElfFile> open(const std::string& path);
  // For tests and fuzzing.
  static Result<ElfFile> from_bytes(Bytes bytes);

  bool has(std::string_view section) const;
  // The content of a section, decompressed; empty when there is none. An error
  // when it cannot be read.
  Result<Bytes> section(std::string_view name) const;
  // The identity that the linker gave it, in hexadecimal; empty without one.
  std::string build_id() const;
  // The name and checksum in .gnu_debuglink; an empty name without one.
  struct DebugLink {
    std::string name;
    std::uint32_t crc = 0;
  };
  DebugLink debug_link() const;
  // The path and build id in .gnu_debugaltlink; empty without one.
  struct AltLink {
    std::string path;
    std::string build_id;
  };
  AltLink alt_link() const;
  // The checksum of the whole file, as .gnu_debuglink has it.
  std::uint32_t crc() const;

 private:
  struct Section {
    std::string name;
    std::uint32_t type = 0;
    std::uint64_t flags = 0, offset = 0, size = 0;
  };

  ElfFile() = default;
  bool read(std::uint64_t offset, void* out, std::size_t size) const;
  Status load();
  const Section* find(std::string_view name) const;

  Fd fd_;
  Bytes bytes_;  // when there is no file
  std::uint64_t size_ = 0;
  std::vector<Section> sections_;
};

}  // namespace dt::symbol
