// See object.h.
//
//   ELF header | .probes | .note.dtrace | .note.gnu.property | .symtab | .strtab | .shstrtab |
//   section headers
//
// .probes has two bytes for each probe, which are 0. Their symbols are weak: a program that is
// linked of parts may have several such files of one provider. The property says that the
// file has no code that would need a jump to it to be marked: without, the linker
// takes that protection from the whole program. The empty .note.GNU-stack does
// the same for a stack that holds no code.

#include "usdt/object.h"

#include <elf.h>

#include <cstring>
#include <vector>

#include "usdt/header.h"

namespace dt::usdt {
namespace {

enum Section : std::uint16_t {
  kNone,
  kProbes,
  kTypes,
  kProperty,
  kStack,
  kSymbols,
  kStrings,
  kNames,
  kSections
};

template <typename T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void align(std::string& out, std::size_t to) { out.resize((out.size() + to - 1) / to * to); }

// Appends the text with its NUL; where it begins.
std::uint32_t append_text(std::string& table, const std::string& text) {
  const auto at = static_cast<std::uint32_t>(table.size());
  table.append(text.c_str(), text.size() + 1);
  return at;
}

// As a header has it: the linker keeps both, and readers the first.
std::string types_note(const Provider& provider, const Probe& probe) {
  std::string body = provider.name + '\0' + probe.name + '\0';
  for (const std::string& text : type_texts(provider, probe)) body += text + '\0';
  std::string out;
  append(out, Elf64_Nhdr{7, static_cast<Elf64_Word>(body.size()), 1});
  append_text(out, "dtrace");
  align(out, 4);
  out += body;
  align(out, 4);
  return out;
}

std::string property() {
  std::string out;
  append(out, Elf64_Nhdr{4, 16, NT_GNU_PROPERTY_TYPE_0});
  append_text(out, "GNU");
  append(out, std::uint32_t{GNU_PROPERTY_X86_FEATURE_1_AND});
  append(out, std::uint32_t{4});
  append(out, std::uint32_t{GNU_PROPERTY_X86_FEATURE_1_IBT | GNU_PROPERTY_X86_FEATURE_1_SHSTK});
  append(out, std::uint32_t{0});
  return out;
}

class Writer {
 public:
  Writer() : file_(sizeof(Elf64_Ehdr), '\0') { append_text(names_, ""); }

  void section(Section number, const char* name, std::uint32_t type, std::uint64_t flags,
               std::uint64_t alignment, const std::string& content) {
    align(file_, alignment);
    Elf64_Shdr& header = headers_[number];
    header.sh_name = append_text(names_, name);
    header.sh_type = type;
    header.sh_flags = flags;
    header.sh_addralign = alignment;
    header.sh_offset = file_.size();
    header.sh_size = content.size();
    file_ += content;
  }

  // `locals`: how many symbols come before the first that other files see.
  void symbols(const std::string& table, std::uint32_t locals) {
    section(kSymbols, ".symtab", SHT_SYMTAB, 0, 8, table);
    headers_[kSymbols].sh_link = kStrings;
    headers_[kSymbols].sh_info = locals;
    headers_[kSymbols].sh_entsize = sizeof(Elf64_Sym);
  }

  std::string finish() {
    const std::uint32_t own_name = append_text(names_, ".shstrtab");
    section(kNames, "", SHT_STRTAB, 0, 1, names_);
    headers_[kNames].sh_name = own_name;
    align(file_, 8);
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_REL;
    header.e_machine = EM_X86_64;
    header.e_version = EV_CURRENT;
    header.e_shoff = file_.size();
    header.e_ehsize = sizeof(Elf64_Ehdr);
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = kSections;
    header.e_shstrndx = kNames;
    for (const Elf64_Shdr& one : headers_) {
      append(file_, one);
    }
    std::memcpy(file_.data(), &header, sizeof header);
    return std::move(file_);
  }

 private:
  std::string file_;
  std::string names_;
  Elf64_Shdr headers_[kSections] = {};
};

}  // namespace

std::string object(std::span<const Provider> providers) {
  std::string counters;
  std::string types;
  std::string symbols;
  std::string strings;
  append(symbols, Elf64_Sym{});
  append_text(strings, "");
  for (const Provider& provider : providers) {
    for (const Probe& probe : provider.probes) {
      Elf64_Sym symbol{};
      symbol.st_name = append_text(strings, counter_of(provider, probe));
      symbol.st_info = ELF64_ST_INFO(STB_WEAK, STT_OBJECT);
      symbol.st_other = STV_HIDDEN;
      symbol.st_shndx = kProbes;
      symbol.st_value = counters.size();
      symbol.st_size = sizeof(std::uint16_t);
      append(symbols, symbol);
      append(counters, std::uint16_t{0});
      if (has_types(provider, probe)) types += types_note(provider, probe);
    }
  }
  Writer out;
  out.section(kProbes, ".probes", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 2, counters);
  out.section(kTypes, ".note.dtrace", SHT_NOTE, 0, 4, types);
  out.section(kProperty, ".note.gnu.property", SHT_NOTE, SHF_ALLOC, 8, property());
  out.section(kStack, ".note.GNU-stack", SHT_PROGBITS, 0, 1, {});
  out.symbols(symbols, 1);
  out.section(kStrings, ".strtab", SHT_STRTAB, 0, 1, strings);
  return out.finish();
}

}  // namespace dt::usdt
