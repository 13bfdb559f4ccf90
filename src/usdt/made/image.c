// See image.h.

#include "usdt/made/image.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dtrace/probes.h"

// The one-byte no-op is the place, as in dtrace/sdt.h.
static const unsigned char kCode[kMadeSlot] = {0xf3, 0x0f, 0x1e, 0xfa, 0x90, 0x66, 0x2e, 0x0f,
                                               0x1f, 0x84, 0,    0,    0,    0,    0,    0xc3};
enum { kPlaceInCode = 4 };

enum section {
  kNone,
  kText,
  kProbes,
  kNotes,
  kTypes,
  kFrames,
  kSymbols,
  kStrings,
  kNames,
  kSections
};

static const char kSectionNames[] =
    "\0.text\0.probes\0.note.stapsdt\0.note.dtrace\0.eh_frame\0.symtab\0.strtab\0.shstrtab";

struct writer {
  unsigned char* bytes;
  size_t size, room;
  int failed;
  Elf64_Shdr headers[kSections];
};

static void append(struct writer* out, const void* bytes, size_t size) {
  if (out->failed) return;
  if (size > out->room - out->size) {
    const size_t room = (out->room + size) * 2;
    unsigned char* const moved = realloc(out->bytes, room);
    if (moved == NULL) {
      out->failed = 1;
      return;
    }
    out->bytes = moved;
    out->room = room;
  }
  if (size != 0) memcpy(out->bytes + out->size, bytes, size);
  out->size += size;
}

static void append_text(struct writer* out, const char* text) {
  append(out, text, strlen(text) + 1);
}

static void append_word(struct writer* out, size_t word) {
  const uint32_t value = (uint32_t)word;
  append(out, &value, sizeof value);
}

static void pad(struct writer* out, size_t to) {
  static const unsigned char kZeros[kMadePage];
  append(out, kZeros, (to - out->size % to) % to);
}

static void begin(struct writer* out, enum section section, uint32_t type, uint64_t alignment) {
  pad(out, alignment);
  Elf64_Shdr* const header = &out->headers[section];
  const char* name = kSectionNames;
  for (int i = 0; i < (int)section; i++) name += strlen(name) + 1;
  header->sh_name = (uint32_t)(name - kSectionNames);
  header->sh_type = type;
  header->sh_addralign = alignment;
  header->sh_offset = out->size;
}

static void end(struct writer* out, enum section section) {
  out->headers[section].sh_size = out->size - out->headers[section].sh_offset;
}

// What notes, frames and symbols say of addresses is known when all else is written: `code`
// is where the page of code will be.
static void notes(struct writer* out, const char* provider, const struct made_probe* probes,
                  size_t count, uint64_t code) {
  begin(out, kNotes, SHT_NOTE, 4);
  for (size_t i = 0; i < count; i++) {
    const struct made_probe* const one = &probes[i];
    const uint64_t slot = code + (i + 1) * kMadeSlot;
    const uint64_t addresses[] = {slot + kPlaceInCode, 0, slot + kMadePage};
    append_word(out, 8);
    append_word(
        out, sizeof addresses + strlen(provider) + strlen(one->name) + strlen(one->operands) + 3);
    append_word(out, 3);
    append_text(out, "stapsdt");
    append(out, addresses, sizeof addresses);
    append_text(out, provider);
    append_text(out, one->name);
    append_text(out, one->operands);
    pad(out, 4);
  }
  end(out, kNotes);
}

// DTRACE_SDT_TYPES of dtrace/sdt.h.
static void types(struct writer* out, const char* provider, const struct made_probe* probes,
                  size_t count) {
  begin(out, kTypes, SHT_NOTE, 4);
  for (size_t i = 0; i < count; i++) {
    const struct made_probe* const one = &probes[i];
    if (one->arguments == 0) continue;
    append_word(out, 7);
    append_word(out, strlen(provider) + strlen(one->name) + 2 + one->types_size + 1);
    append_word(out, 1);
    append_text(out, "dtrace");
    pad(out, 4);
    append_text(out, provider);
    append_text(out, one->name);
    append(out, one->types, one->types_size);
    append_text(out, "");  // none are translated
    pad(out, 4);
  }
  end(out, kTypes);
}

// Everywhere in the code the caller is at rsp, and its rsp 8 bytes higher.
static void frames(struct writer* out, uint64_t code) {
  static const unsigned char kCie[] = {1,    'z', 'R', 0, 1,    0x78, 16, 1,
                                       0x1b, 12,  7,   8, 0x90, 1,    0,  0};
  begin(out, kFrames, SHT_PROGBITS, 8);
  append_word(out, 4 + sizeof kCie);
  append_word(out, 0);
  append(out, kCie, sizeof kCie);
  append_word(out, 16);
  append_word(out, out->size - out->headers[kFrames].sh_offset);
  append_word(out, code - out->size);
  append_word(out, kMadePage);
  append_word(out, 0);
  append_word(out, 0);
  end(out, kFrames);
}

static void symbols(struct writer* out, const struct made_probe* probes, size_t count,
                    uint64_t code) {
  begin(out, kSymbols, SHT_SYMTAB, 8);
  Elf64_Sym symbol = {0};
  append(out, &symbol, sizeof symbol);
  size_t name = 1;
  for (size_t i = 0; i < count; i++) {
    symbol.st_name = (uint32_t)name;
    symbol.st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC);
    symbol.st_shndx = kText;
    symbol.st_value = code + (i + 1) * kMadeSlot;
    symbol.st_size = kMadeSlot;
    append(out, &symbol, sizeof symbol);
    name += strlen(probes[i].function) + 1;
  }
  end(out, kSymbols);
  out->headers[kSymbols].sh_link = kStrings;
  out->headers[kSymbols].sh_info = (uint32_t)(count + 1);
  out->headers[kSymbols].sh_entsize = sizeof symbol;
  begin(out, kStrings, SHT_STRTAB, 1);
  append_text(out, "");
  for (size_t i = 0; i < count; i++) append_text(out, probes[i].function);
  end(out, kStrings);
  begin(out, kNames, SHT_STRTAB, 1);
  append(out, kSectionNames, sizeof kSectionNames);
  end(out, kNames);
}

static Elf64_Phdr segment(uint64_t at, uint32_t flags) {
  const Elf64_Phdr out = {.p_type = PT_LOAD,
                          .p_flags = flags,
                          .p_offset = at,
                          .p_vaddr = at,
                          .p_paddr = at,
                          .p_filesz = kMadePage,
                          .p_memsz = kMadePage,
                          .p_align = kMadePage};
  return out;
}

// The headers at the front of the file and the table of sections, whose place is `sections`.
static void headers(struct writer* out, uint64_t sections, uint64_t code) {
  const Elf64_Ehdr header = {
      .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
      .e_type = ET_DYN,
      .e_machine = EM_X86_64,
      .e_version = EV_CURRENT,
      .e_phoff = sizeof(Elf64_Ehdr),
      .e_shoff = sections,
      .e_ehsize = sizeof(Elf64_Ehdr),
      .e_phentsize = sizeof(Elf64_Phdr),
      .e_phnum = 2,
      .e_shentsize = sizeof(Elf64_Shdr),
      .e_shnum = kSections,
      .e_shstrndx = kNames};
  const Elf64_Phdr segments[] = {segment(code, PF_R | PF_X),
                                 segment(code + kMadePage, PF_R | PF_W)};
  append(out, &header, sizeof header);
  append(out, segments, sizeof segments);
}

static void loaded_section(struct writer* out, enum section section, uint64_t flags) {
  begin(out, section, SHT_PROGBITS, kMadePage);
  out->headers[section].sh_flags = SHF_ALLOC | flags;
}

static void pages(struct writer* out, const struct made_probe* probes, size_t count) {
  loaded_section(out, kText, SHF_EXECINSTR);
  for (size_t i = 0; i < kMadeSlots; i++) append(out, kCode, sizeof kCode);
  end(out, kText);
  loaded_section(out, kProbes, SHF_WRITE);
  const struct made_head head = {.is_loaded = 1};
  append(out, &head, sizeof head);
  for (size_t i = 0; i < count; i++) {
    const dtrace_site site = {.arguments = probes[i].arguments, .is_loaded = 1};
    append(out, &site, sizeof site);
  }
  pad(out, kMadePage);
  end(out, kProbes);
}

// Everything before the two pages, with `code` and `sections` as places.
static void before_pages(struct writer* out, const char* provider, const struct made_probe* probes,
                         size_t count, uint64_t sections, uint64_t code) {
  headers(out, sections, code);
  notes(out, provider, probes, count, code);
  types(out, provider, probes, count);
  frames(out, code);
  symbols(out, probes, count, code);
  pad(out, 8);
}

int made_image_build(const char* provider, const struct made_probe* probes, size_t count,
                     struct made_image* image) {
  // Once for the sizes, which no address changes, and once for good.
  struct writer out = {0};
  before_pages(&out, provider, probes, count, 0, 0);
  const size_t sections = out.size;
  const size_t code = (sections + sizeof out.headers + kMadePage - 1) / kMadePage * kMadePage;
  out.size = 0;
  before_pages(&out, provider, probes, count, sections, code);
  append(&out, out.headers, sizeof out.headers);
  pages(&out, probes, count);
  if (out.failed) {
    free(out.bytes);
    return ENOMEM;
  }
  for (int i = 0; i < kSections; i++) {
    if ((out.headers[i].sh_flags & SHF_ALLOC) != 0)
      out.headers[i].sh_addr = out.headers[i].sh_offset;
  }
  // The frames are read by their address, though no loader loads them.
  out.headers[kFrames].sh_addr = out.headers[kFrames].sh_offset;
  memcpy(out.bytes + sections, out.headers, sizeof out.headers);
  image->bytes = out.bytes;
  image->size = out.size;
  return 0;
}
