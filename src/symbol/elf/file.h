#pragma once
// The sections of an ELF file, read with bounds: files of other people are
// untrusted, and a file may change while it is read. 64-bit, little-endian.
//
//   header | ... sections ... | section headers, one of which names them all
//
// Nothing is mapped: a file that shrinks must not kill us.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/fd.h"
#include "support/result.h"

namespace dt::symbol {

// Addresses as a file has them; `end` is the first behind.
struct CodeRange {
  std::uint64_t begin = 0, end = 0;
  auto operator<=>(const CodeRange&) const = default;
};

class ElfFile {
 public:
  using Bytes = std::vector<std::uint8_t>;

  // `path` must be a regular file: a FIFO would block.
  static Result<ElfFile> open(const std::string& path);
  // For tests and fuzzing.
  static Result<ElfFile> from_bytes(Bytes bytes);

  // What is loaded of it.
  struct Segment {
    std::uint64_t offset = 0, file_size = 0, address = 0;
    bool is_executable = false;
  };
  const std::vector<Segment>& segments() const { return segments_; }
  // The file offset of what is loaded from `address`; nullopt when nothing is.
  std::optional<std::uint64_t> offset_of(std::uint64_t address) const;
  std::optional<std::uint64_t> address_of(std::uint64_t offset) const;
  // The section of code that is loaded at the address, or without sections the segment;
  // nullopt when what is loaded there is no code.
  std::optional<CodeRange> code_at(std::uint64_t address) const;
  // Where the table that serves to unwind stacks is loaded (.eh_frame_hdr).
  std::optional<std::uint64_t> unwind_header() const { return unwind_header_; }
  std::uint64_t entry() const { return entry_; }  // where the program begins; 0 = nowhere
  // For which processor it is: EM_*.
  std::uint16_t machine() const { return machine_; }
  // Reads a part of the file; false when it does not have all of it.
  bool read(std::uint64_t offset, void* out, std::size_t size) const;

  // The descriptor of the open file; -1 if the file was made of bytes.
  int descriptor() const { return fd_.get(); }
  // The content of a file that was made of bytes.
  const Bytes& bytes() const { return bytes_; }

  // False if even their headers were removed.
  bool has_sections() const { return !sections_.empty(); }
  bool has(std::string_view section) const;
  // Its bytes in the file; 0 when there is none.
  std::uint64_t section_size(std::string_view name) const;
  // Where the section is loaded; 0 when it is not.
  std::uint64_t section_address(std::string_view name) const;
  // Whether `size` bytes at the address are in the section.
  bool is_in(std::string_view section, std::uint64_t address, std::uint64_t size) const;
  static constexpr std::uint64_t kMaxSectionBytes = std::uint64_t{1} << 30;
  // The content of a section, decompressed; empty when there is none. An error
  // when it cannot be read, or is larger than `limit`.
  Result<Bytes> section(std::string_view name, std::uint64_t limit = kMaxSectionBytes) const;
  // The section's place in the file; of size 0 when the file has no such section.
  struct Extent {
    std::uint64_t offset = 0, size = 0;
    bool is_compressed = false;
  };
  Extent extent(std::string_view name) const;
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
  // The checksum of the whole file, as .gnu_debuglink has it; nullopt when it cannot
  // be read, or is too large for anybody to wait.
  std::optional<std::uint32_t> crc() const;

 private:
  struct Section {
    std::string name;
    std::uint32_t type = 0;
    std::uint64_t flags = 0, address = 0, offset = 0, size = 0;
  };

  ElfFile() = default;
  Status load();
  Status load_segments(std::uint64_t offset, std::size_t entry_bytes, std::size_t count);
  const Section* find(std::string_view name) const;

  Fd fd_;
  Bytes bytes_;  // when there is no file
  std::uint64_t size_ = 0;
  std::vector<Section> sections_;
  std::vector<Segment> segments_;
  std::optional<std::uint64_t> unwind_header_;
  std::uint16_t machine_ = 0;
  std::uint64_t entry_ = 0;
};

}  // namespace dt::symbol
