// See section_reader.h.

#include "symbol/elf/section_reader.h"

#include <algorithm>
#include <cstring>

namespace dt::symbol {
namespace {

constexpr std::uint64_t kMaxInflatedBytes = std::uint64_t{512} << 20;
constexpr std::uint64_t kMaxTextBytes = 16 << 10;
constexpr std::uint64_t kFirstTextBytes = 256;  // of most

}  // namespace

SectionReader::SectionReader(std::shared_ptr<const ElfFile> elf, std::string_view name)
    : elf_(std::move(elf)), name_(name), extent_(elf_->extent(name)) {}

void SectionReader::inflate() {
  if (!extent_.is_compressed || !inflated_.empty()) return;
  Result<ElfFile::Bytes> bytes = elf_->section(name_, kMaxInflatedBytes);
  if (bytes.ok() && !bytes->empty()) {
    inflated_ = std::move(*bytes);
  } else {
    extent_ = {};
  }
}

std::uint64_t SectionReader::size() {
  inflate();
  return extent_.is_compressed ? inflated_.size() : extent_.size;
}

std::span<const std::uint8_t> SectionReader::part(std::uint64_t offset, std::uint64_t size,
                                                  ElfFile::Bytes& room) {
  const std::uint64_t all = this->size();
  if (offset >= all) return {};
  size = std::min(size, all - offset);
  if (extent_.is_compressed) return std::span(inflated_).subspan(offset, size);
  room.resize(size);
  if (!elf_->read(extent_.offset + offset, room.data(), size)) room.clear();
  return room;
}

// Most names are short; each attempt reads more of the section, until the NUL is there.
std::string SectionReader::text(std::uint64_t offset) {
  ElfFile::Bytes room;
  for (std::uint64_t most = kFirstTextBytes; most <= kMaxTextBytes; most *= 8) {
    const std::span<const std::uint8_t> bytes = part(offset, most, room);
    const auto end = std::find(bytes.begin(), bytes.end(), std::uint8_t{0});
    if (end != bytes.end()) return {bytes.begin(), end};
    if (bytes.size() < most) break;
  }
  return {};
}

void SectionReader::let_go() { inflated_ = {}; }

}  // namespace dt::symbol
