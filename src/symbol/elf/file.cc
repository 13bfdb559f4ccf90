// Reading section headers and sections.

#include "symbol/elf/file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace dt::symbol {
namespace {

// A match of 258 bytes takes at least 2 bits. A stream that claims to be larger than that allows is
// refused before memory is allocated for it.
constexpr std::uint64_t kMaxRatio = 1032;  // of deflate
constexpr std::size_t kMaxSections = 65535;
constexpr std::size_t kMaxSectionNameBytes = 256;
constexpr std::uint64_t kMaxNamesAtOnce = 64 << 10;  // that are read at once
constexpr std::size_t kMaxNoteBytes = 64;
constexpr std::uint64_t kMaxNotesBytes = 64 << 10;
constexpr std::uint64_t kMaxLinkBytes = 64 << 10;

Error bad(std::string text) { return Error::of("ELF: " + std::move(text)); }

std::string hex(const std::uint8_t* bytes, std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

// The text at the start of `bytes` up to its NUL, and where it ends.
std::string trimmed_text(const ElfFile::Bytes& bytes) {
  const auto end = std::find(bytes.begin(), bytes.end(), 0);
  return end == bytes.end() ? std::string() : std::string(bytes.begin(), end);
}

// The names of sections. They are few bytes and stand together, so they are read at once: a file
// has some thirty of them, and thousands of files are opened to find the few that have probes.
class NameTable {
 public:
  NameTable(const ElfFile& file, std::uint64_t offset, std::uint64_t size)
      : file_(file), offset_(offset), size_(size), bytes_(size <= kMaxNamesAtOnce ? size : 0) {
    if (!file_.read(offset_, bytes_.data(), bytes_.size())) bytes_.clear();
  }

  // Empty behind the end of the table; nullopt where the file does not have it.
  std::optional<std::string> at(std::uint32_t index) const {
    if (index >= size_) return std::string();
    std::array<char, kMaxSectionNameBytes> text{};
    const std::size_t most = std::min<std::uint64_t>(text.size() - 1, size_ - index);
    if (!bytes_.empty()) {
      std::memcpy(text.data(), bytes_.data() + index, most);
    } else if (index > UINT64_MAX - offset_ || !file_.read(offset_ + index, text.data(), most)) {
      return std::nullopt;
    }
    return std::string(text.data());
  }

 private:
  const ElfFile& file_;
  std::uint64_t offset_, size_;
  ElfFile::Bytes bytes_;  // all of the table, unless it is too large or beyond the end
};

Result<ElfFile::Bytes> inflate_section(const ElfFile::Bytes& packed, std::uint64_t limit) {
  Elf64_Chdr header;
  if (packed.size() < sizeof header) return bad("a compressed section is cut off");
  std::memcpy(&header, packed.data(), sizeof header);
  if (header.ch_type != ELFCOMPRESS_ZLIB) {
    return bad(fmt::format("a section is compressed in a way that is not supported ({})",
                           header.ch_type == 2 ? "zstd" : std::to_string(header.ch_type)));
  }
  const std::size_t body = packed.size() - sizeof header;
  if (header.ch_size > limit || header.ch_size / kMaxRatio > body) {
    return bad("a compressed section is larger than it can be");
  }
  ElfFile::Bytes out(header.ch_size);
  uLongf filled = out.size();
  const int status = ::uncompress(out.data(), &filled, packed.data() + sizeof header, body);
  if (status != Z_OK || filled != out.size()) return bad("a compressed section is damaged");
  return out;
}

}  // namespace

Result<ElfFile> ElfFile::open(const std::string& path) {
  ElfFile file;
  file.fd_ = Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.fd_.valid()) return support::system_error("open " + path, errno);
  struct stat status {};
  if (::fstat(file.fd_.get(), &status) != 0) return support::system_error("stat " + path, errno);
  if (!S_ISREG(status.st_mode)) return Error::of(path + ": is not a regular file");
  file.size_ = static_cast<std::uint64_t>(status.st_size);
  if (Status loaded = file.load(); !loaded.ok()) return std::move(loaded.error()).with(path);
  return file;
}

Result<ElfFile> ElfFile::from_bytes(Bytes bytes) {
  ElfFile file;
  file.bytes_ = std::move(bytes);
  file.size_ = file.bytes_.size();
  DT_TRY(file.load());
  return file;
}

bool ElfFile::read(std::uint64_t offset, void* out, std::size_t size) const {
  if (offset > size_ || size > size_ - offset) return false;
  if (!fd_.valid()) {
    if (size > 0) std::memcpy(out, bytes_.data() + offset, size);
    return true;
  }
  auto* to = static_cast<char*>(out);
  while (size > 0) {
    const ssize_t got = ::pread(fd_.get(), to, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

// All that follows treats the file as hostile: it may be the program of any user. Offsets are
// compared with what is left (`size > size_ - offset`), never added first, because a sum of two
// numbers of the file can wrap around.
Status ElfFile::load() {
  Elf64_Ehdr header;
  if (!read(0, &header, sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    return bad("this is no ELF file");
  }
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return bad("32-bit programs are not supported");
  if (header.e_ident[EI_DATA] != ELFDATA2LSB) return bad("of the other byte order");
  machine_ = header.e_machine;
  entry_ = header.e_entry;
  DT_TRY(load_segments(header.e_phoff, header.e_phentsize, header.e_phnum));
  if (header.e_shoff == 0) return {};
  if (header.e_shentsize != sizeof(Elf64_Shdr)) return bad("section headers of an unknown size");
  Elf64_Shdr first;
  if (!read(header.e_shoff, &first, sizeof first)) return bad("section headers lie beyond the end");
  // Numbers that do not fit the header stand in the first section.
  const std::uint64_t count = header.e_shnum != 0 ? header.e_shnum : first.sh_size;
  const std::uint32_t names_index =
      header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : first.sh_link;
  if (count > kMaxSections || names_index >= count) return bad("section numbers out of range");
  std::vector<Elf64_Shdr> headers(count);
  if (!read(header.e_shoff, headers.data(), count * sizeof(Elf64_Shdr))) {
    return bad("section headers lie beyond the end");
  }
  const NameTable names(*this, headers[names_index].sh_offset, headers[names_index].sh_size);
  for (const Elf64_Shdr& one : headers) {
    Section section;
    section.type = one.sh_type;
    section.flags = one.sh_flags;
    section.address = one.sh_addr;
    section.offset = one.sh_offset;
    // .bss, and every section of a separate debug file: it has a size, and no bytes.
    section.size = one.sh_type == SHT_NOBITS ? 0 : one.sh_size;
    std::optional<std::string> name = names.at(one.sh_name);
    if (!name) continue;
    section.name = std::move(*name);
    sections_.push_back(std::move(section));
  }
  return {};
}

// Segments are what is mapped; sections can be missing altogether (sstrip), or not be true.
Status ElfFile::load_segments(std::uint64_t offset, std::size_t entry_bytes, std::size_t count) {
  if (count == 0) return {};
  if (entry_bytes != sizeof(Elf64_Phdr)) return bad("program headers of an unknown size");
  std::vector<Elf64_Phdr> headers(count);
  if (!read(offset, headers.data(), count * sizeof(Elf64_Phdr))) {
    return bad("program headers lie beyond the end");
  }
  for (const Elf64_Phdr& one : headers) {
    if (one.p_type == PT_GNU_EH_FRAME) unwind_header_ = one.p_vaddr;
    if (one.p_type != PT_LOAD) continue;
    segments_.push_back({one.p_offset, one.p_filesz, one.p_vaddr, (one.p_flags & PF_X) != 0});
  }
  return {};
}

// Only the part that is in the file: behind it, up to its size in memory, a segment is zeros
// (.bss).
std::optional<std::uint64_t> ElfFile::offset_of(std::uint64_t address) const {
  for (const Segment& one : segments_) {
    if (address >= one.address && address - one.address < one.file_size) {
      return address - one.address + one.offset;
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> ElfFile::address_of(std::uint64_t offset) const {
  for (const Segment& one : segments_) {
    if (offset >= one.offset && offset - one.offset < one.file_size) {
      return offset - one.offset + one.address;
    }
  }
  return std::nullopt;
}

// A segment also contains headers and, with some linkers, read-only data; a section that is code
// bounds what may be decoded as instructions.
std::optional<CodeRange> ElfFile::code_at(std::uint64_t address) const {
  const auto segment = std::find_if(segments_.begin(), segments_.end(), [&](const Segment& one) {
    return address >= one.address && address - one.address < one.file_size;
  });
  if (segment == segments_.end() || !segment->is_executable) return std::nullopt;
  if (sections_.empty()) {
    return CodeRange{segment->address, segment->address + segment->file_size};
  }
  for (const Section& one : sections_) {
    constexpr std::uint64_t kCode = SHF_ALLOC | SHF_EXECINSTR;
    if ((one.flags & kCode) == kCode && one.type == SHT_PROGBITS && address >= one.address &&
        address - one.address < one.size && one.address >= segment->address &&
        one.size <= segment->file_size - (one.address - segment->address)) {
      return CodeRange{one.address, one.address + one.size};
    }
  }
  return std::nullopt;
}

const ElfFile::Section* ElfFile::find(std::string_view name) const {
  const auto found = std::find_if(sections_.begin(), sections_.end(), [&](const Section& one) {
    return one.name == name && one.type != SHT_NULL;
  });
  return found == sections_.end() ? nullptr : &*found;
}

bool ElfFile::has(std::string_view section) const {
  const Section* const found = find(section);
  return found != nullptr && found->size != 0;
}

std::uint64_t ElfFile::section_size(std::string_view name) const {
  const Section* const found = find(name);
  return found == nullptr ? 0 : found->size;
}

std::uint64_t ElfFile::section_address(std::string_view name) const {
  const Section* const found = find(name);
  return found == nullptr ? 0 : found->address;
}

bool ElfFile::is_in(std::string_view section, std::uint64_t address, std::uint64_t size) const {
  const Section* const found = find(section);
  return found != nullptr && address >= found->address && found->size >= size &&
         address - found->address <= found->size - size;
}

ElfFile::Extent ElfFile::extent(std::string_view name) const {
  const Section* const found = find(name);
  if (found == nullptr || found->offset > size_ || found->size > size_ - found->offset) return {};
  return {found->offset, found->size, (found->flags & SHF_COMPRESSED) != 0};
}

Result<ElfFile::Bytes> ElfFile::section(std::string_view name, std::uint64_t limit) const {
  const Section* const found = find(name);
  if (found == nullptr || found->size == 0) return Bytes();
  if (found->size > limit || found->offset > size_ || found->size > size_ - found->offset) {
    return bad(fmt::format("section {} is beyond the end, or is too large", name));
  }
  Bytes bytes(found->size);
  if (!read(found->offset, bytes.data(), bytes.size())) {
    return bad(fmt::format("section {} cannot be read", name));
  }
  if ((found->flags & SHF_COMPRESSED) != 0) return inflate_section(bytes, limit);
  return bytes;
}

// name size | descriptor size | type | name | descriptor
std::string ElfFile::build_id() const {
  const Result<Bytes> note = section(".note.gnu.build-id", kMaxNotesBytes);
  Elf64_Nhdr header;
  if (!note.ok() || note->size() < sizeof header) return {};
  std::memcpy(&header, note->data(), sizeof header);
  const std::size_t begin = sizeof header + (std::size_t{header.n_namesz} + 3) / 4 * 4;
  if (header.n_type != NT_GNU_BUILD_ID || header.n_namesz > kMaxNoteBytes ||
      header.n_descsz > kMaxNoteBytes || begin + header.n_descsz > note->size()) {
    return {};
  }
  return hex(note->data() + begin, header.n_descsz);
}

// The name, padded to 4 bytes, and the checksum.
ElfFile::DebugLink ElfFile::debug_link() const {
  const Result<Bytes> link = section(".gnu_debuglink", kMaxLinkBytes);
  DebugLink out;
  if (!link.ok()) return out;
  const std::string name = trimmed_text(*link);
  const std::size_t at = (name.size() + 1 + 3) / 4 * 4;
  if (name.empty() || at + sizeof out.crc > link->size()) return out;
  std::memcpy(&out.crc, link->data() + at, sizeof out.crc);
  out.name = name;
  return out;
}

ElfFile::AltLink ElfFile::alt_link() const {
  const Result<Bytes> link = section(".gnu_debugaltlink", kMaxLinkBytes);
  AltLink out;
  if (!link.ok()) return out;
  out.path = trimmed_text(*link);
  if (out.path.empty()) return out;
  const std::size_t at = out.path.size() + 1;
  out.build_id = hex(link->data() + at, std::min(link->size() - at, kMaxNoteBytes));
  return out;
}

// .gnu_debuglink names a file of debugging information by its checksum, which is of the whole file.
std::optional<std::uint32_t> ElfFile::crc() const {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
  if (size_ > kMostBytes) return std::nullopt;
  constexpr std::size_t kBytesAtOnce = std::size_t{1} << 20;
  Bytes chunk(std::min<std::uint64_t>(kBytesAtOnce, size_));
  uLong crc = ::crc32(0, nullptr, 0);
  for (std::uint64_t at = 0; at < size_; at += kBytesAtOnce) {
    const std::size_t size = std::min<std::uint64_t>(kBytesAtOnce, size_ - at);
    if (!read(at, chunk.data(), size)) return std::nullopt;
    crc = ::crc32(crc, chunk.data(), static_cast<uInt>(size));
  }
  return static_cast<std::uint32_t>(crc);
}

}  // namespace dt::symbol
