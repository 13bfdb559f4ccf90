// Reading symbol tables with libelf.
//
// Of several symbols at one address one name must be chosen, always the same: that with the fewest
// leading underscores, and of those a global one before a weak one before a local one. Sizes count
// where a file has them: behind a function's end there may be padding, or code without a name,
// which does not belong to it.

#include "symbol/resolve/object_symbols.h"

#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "symbol/elf/file.h"
#include "symbol/frames/go_table.h"

namespace dt::symbol {
namespace {

constexpr std::size_t kMaxObjectSymbols = 8'000'000;
constexpr std::size_t kMaxSegments = 4096;
constexpr std::size_t kMaxCodeSections = 4096;  // of code
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kMaxHeaders = 65535;
constexpr std::size_t kMaxNamesBytes = std::size_t{512} << 20;

struct ElfEnd {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfEnd>;

// Of several names for one address the shortest run of leading underscores is
// what people call it; then a global one.
std::uint32_t rank_of_symbol(const char* name, unsigned char binding) {
  std::uint32_t underscores = 0;
  while (name[underscores] == '_' && underscores < 100) {
    ++underscores;
  }
  const std::uint32_t by_binding = binding == STB_GLOBAL ? 0 : binding == STB_WEAK ? 1 : 2;
  return underscores * 4 + by_binding;
}

bool is_of(SymbolKind kind, unsigned char type) {
  return kind == SymbolKind::kVariable ? type == STT_OBJECT
                                       : type == STT_FUNC || type == STT_GNU_IFUNC;
}

// libelf makes room for as many headers as the first section says where the header has no
// room for the number, and holes of a file may be headers.
template <typename Header, typename Section>
bool has_sane_numbers(int fd) {
  Header header{};
  Section first{};
  if (::pread(fd, &header, sizeof header, 0) != sizeof header) return false;
  if (header.e_shoff == 0 || (header.e_shnum != 0 && header.e_phnum != PN_XNUM)) return true;
  return ::pread(fd, &first, sizeof first, static_cast<off_t>(header.e_shoff)) == sizeof first &&
         (header.e_shnum != 0 || first.sh_size <= kMaxHeaders) &&
         (header.e_phnum != PN_XNUM || first.sh_info <= kMaxHeaders);
}

bool has_sane_numbers(int fd) {
  unsigned char ident[EI_NIDENT] = {};
  if (::pread(fd, ident, sizeof ident, 0) != sizeof ident) return false;
  return ident[EI_CLASS] == ELFCLASS32 ? has_sane_numbers<Elf32_Ehdr, Elf32_Shdr>(fd)
                                       : has_sane_numbers<Elf64_Ehdr, Elf64_Shdr>(fd);
}

}  // namespace

ElfSymbols ElfSymbols::from_file(int fd, SymbolKind kind, std::size_t most_bytes) {
  ElfSymbols result;
  result.kind_ = kind;
  result.most_bytes_ = most_bytes;
  if (!has_sane_numbers(fd)) return result;
  elf_version(EV_CURRENT);
  // Read, not mapped: a file that shrinks under us must not kill us.
  const ElfHandle elf(elf_begin(fd, ELF_C_READ, nullptr));
  if (elf != nullptr) {
    result.load(elf.get());
  }
  return result;
}

ElfSymbols ElfSymbols::from_memory(char* image, std::size_t size) {
  ElfSymbols result;
  elf_version(EV_CURRENT);
  const ElfHandle elf(elf_memory(image, size));
  if (elf != nullptr) {
    result.load(elf.get());
  }
  return result;
}

void ElfSymbols::load(void* handle) {
  auto* elf = static_cast<Elf*>(handle);
  std::size_t count = 0;
  if (elf_kind(elf) != ELF_K_ELF || elf_getphdrnum(elf, &count) != 0) {
    return;
  }
  for (std::size_t i = 0; i < std::min(count, kMaxSegments); ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) != nullptr && header.p_type == PT_LOAD) {
      segments_.push_back(Segment{header.p_offset, header.p_filesz, header.p_vaddr, header.p_memsz,
                                  (header.p_flags & PF_X) != 0});
    }
  }
  load_tables(elf, true);
}

void ElfSymbols::add_stripped(const ElfFile& file) {
  // libelf wants to be able to write, and does not.
  auto* const image = const_cast<char*>(reinterpret_cast<const char*>(file.bytes().data()));
  const ElfHandle elf(file.descriptor() >= 0 ? elf_begin(file.descriptor(), ELF_C_READ, nullptr)
                                             : elf_memory(image, file.bytes().size()));
  if (elf != nullptr && elf_kind(elf.get()) == ELF_K_ELF) {
    load_tables(elf.get(), false);
  }
}

void ElfSymbols::add_go(const GoTable& go) {
  if (kind_ != SymbolKind::kFunction) return;
  for (const GoFunction& one : go.functions()) {
    if (!one.name.empty()) add(one.address, one.size, one.name, 0);
  }
  order();
}

void ElfSymbols::add(std::uint64_t address, std::uint64_t size, std::string_view name,
                     std::uint32_t rank) {
  if (names_.size() > kMaxNamesBytes) return;
  entries_.push_back(Entry{address, size, static_cast<std::uint32_t>(names_.size()), rank});
  names_.append(name);
  names_.push_back('\0');
}

void ElfSymbols::load_tables(void* handle, bool has_dynamic) {
  auto* elf = static_cast<Elf*>(handle);
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf, section)) != nullptr) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) != nullptr && (header.sh_flags & SHF_EXECINSTR) != 0 &&
        code_.size() < kMaxCodeSections) {
      code_.push_back({header.sh_addr, header.sh_addr + header.sh_size});
    }
    load_table(elf, section, has_dynamic);
  }
  order();
}

void ElfSymbols::load_table(void* handle, void* section_handle, bool has_dynamic) {
  auto* elf = static_cast<Elf*>(handle);
  auto* section = static_cast<Elf_Scn*>(section_handle);
  GElf_Shdr header;
  if (gelf_getshdr(section, &header) == nullptr ||
      (header.sh_type != SHT_SYMTAB && (header.sh_type != SHT_DYNSYM || !has_dynamic)) ||
      (header.sh_entsize != sizeof(Elf64_Sym) && header.sh_entsize != sizeof(Elf32_Sym)) ||
      header.sh_size / header.sh_entsize > kMaxObjectSymbols) {
    return;
  }
  GElf_Shdr names;
  Elf_Scn* const strings = elf_getscn(elf, header.sh_link);
  if (strings == nullptr || gelf_getshdr(strings, &names) == nullptr ||
      names.sh_size > kMaxNamesBytes) {
    return;
  }
  // libelf has both sections in memory while ours are made of them.
  constexpr std::size_t kCopies = 2;
  if (header.sh_size + names.sh_size > most_bytes_ / kCopies) {
    is_too_large_ = true;
    return;
  }
  has_table_ = has_table_ || header.sh_type == SHT_SYMTAB;
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr) {
    return;
  }
  const std::size_t count =
      std::min<std::size_t>(data->d_size / header.sh_entsize, kMaxObjectSymbols - entries_.size());
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) {
      break;
    }
    if (!is_of(kind_, GELF_ST_TYPE(symbol.st_info)) || symbol.st_shndx == SHN_UNDEF) {
      continue;
    }
    const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (name == nullptr || name[0] == 0) {
      continue;
    }
    // Without a version: "environ@@GLIBC_2.2.5".
    add(symbol.st_value, symbol.st_size, {name, 1 + std::strcspn(name + 1, "@")},
        rank_of_symbol(name, GELF_ST_BIND(symbol.st_info)));
  }
}

void ElfSymbols::order() {
  std::sort(entries_.begin(), entries_.end(), [this](const Entry& a, const Entry& b) {
    if (a.address != b.address) {
      return a.address < b.address;
    }
    if (a.rank != b.rank) {
      return a.rank < b.rank;
    }
    return std::strcmp(&names_[a.name], &names_[b.name]) < 0;
  });
  // One name per address, with the largest size that any of them claims.
  std::size_t kept = 0;
  for (const Entry& entry : entries_) {
    if (kept > 0 && entries_[kept - 1].address == entry.address) {
      entries_[kept - 1].size = std::max(entries_[kept - 1].size, entry.size);
    } else {
      entries_[kept++] = entry;
    }
  }
  entries_.resize(kept);
  entries_.shrink_to_fit();
}

bool ElfSymbols::find(std::uint64_t file_offset, Found& out) const {
  const auto segment = std::find_if(segments_.begin(), segments_.end(), [&](const Segment& s) {
    return file_offset >= s.offset && file_offset - s.offset < s.file_size;
  });
  if (segment == segments_.end()) {
    return false;
  }
  return find_address(file_offset - segment->offset + segment->address, out);
}

std::optional<std::uint64_t> ElfSymbols::bias(std::uint64_t begin,
                                              std::uint64_t file_offset) const {
  for (const Segment& one : segments_) {
    // The kernel maps whole pages.
    if (one.is_executable && file_offset >= one.offset - one.offset % kPage &&
        (file_offset < one.offset || file_offset - one.offset < one.file_size)) {
      return begin - file_offset + one.offset - one.address;
    }
  }
  return std::nullopt;
}

bool ElfSymbols::is_loaded(std::uint64_t address) const {
  return std::any_of(segments_.begin(), segments_.end(), [address](const Segment& one) {
    return address >= one.address && address - one.address < one.memory_size;
  });
}

bool ElfSymbols::is_one_section(std::uint64_t from, std::uint64_t to) const {
  const auto has_both = [=](const Extent& one) { return from >= one.begin && to < one.end; };
  return code_.empty() || std::any_of(code_.begin(), code_.end(), has_both);
}

bool ElfSymbols::find_address(std::uint64_t address, Found& out) const {
  const auto after =
      std::upper_bound(entries_.begin(), entries_.end(), address,
                       [](std::uint64_t value, const Entry& e) { return value < e.address; });
  if (after == entries_.begin()) {
    return false;
  }
  const Entry& entry = *std::prev(after);
  // A function of size 0 (hand-written assembly) reaches to the next one, or as far as its
  // section does.
  const bool is_open =
      entry.size == 0 && kind_ == SymbolKind::kFunction && is_one_section(entry.address, address);
  if (!is_open && address != entry.address && address - entry.address >= entry.size) {
    return false;
  }
  out = Found{&names_[entry.name], address - entry.address, entry.size};
  return true;
}

}  // namespace dt::symbol
