// See damage.h. What is done to headers, symbols, notes, links and bytes; what call frame
// information and DWARF suffer: damage_dwarf.cc.

#include "damage.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "damage_dwarf.h"
#include "view.h"

namespace dt::elf {
namespace {

using std::string_view_literals::operator""sv;

// Offset and width of the fields of a header.
struct Field {
  std::size_t at, width;
};
constexpr std::array<Field, 10> kHeaderFields = {
    {{16, 2}, {18, 2}, {24, 8}, {32, 8}, {40, 8}, {54, 2}, {56, 2}, {58, 2}, {60, 2}, {62, 2}}};
constexpr std::array<Field, 10> kSectionFields = {
    {{0, 4}, {4, 4}, {8, 8}, {16, 8}, {24, 8}, {32, 8}, {40, 4}, {44, 4}, {48, 8}, {56, 8}}};
constexpr std::array<Field, 8> kSegmentFields = {
    {{0, 4}, {4, 4}, {8, 8}, {16, 8}, {24, 8}, {32, 8}, {40, 8}, {48, 8}}};

std::uint64_t current(const View& view, std::size_t at, std::size_t width) {
  const std::uint64_t word = view.get<std::uint64_t>(at);
  return width == 8 ? word : word & ((std::uint64_t{1} << width * 8) - 1);
}

void change(View& view, std::size_t at, Field field, Random& random) {
  const std::uint64_t known =
      random.one_in(3) ? view.bytes.size() - at : current(view, at + field.at, field.width);
  view.put_number(at + field.at, field.width, random.number(known));
}

bool damage_header(View& view, Damaged&, Random& random) {
  if (random.one_in(8)) {
    view.put<std::uint8_t>(4 + random.below(3), static_cast<std::uint8_t>(random.below(4)));
  } else {
    change(view, 0, random.of(kHeaderFields), random);
  }
  return false;
}

bool damage_section(View& view, Damaged& out, Random& random) {
  const Part& part = random.of(view.parts);
  const Part& other = random.of(view.parts);
  switch (random.below(8)) {
    case 0:  // overlaps another
      view.put(part.header + offsetof(Elf64_Shdr, sh_offset), other.begin + random.below(8));
      view.put(part.header + offsetof(Elf64_Shdr, sh_size), other.size + random.below(64));
      break;
    case 1: {  // both change places
      const auto one = view.get<Elf64_Shdr>(part.header), two = view.get<Elf64_Shdr>(other.header);
      view.put(part.header, two);
      view.put(other.header, one);
      break;
    }
    case 2: {  // huge, in a sparse file: rarely, as that takes long
      if (!random.one_in(12)) return false;
      const std::uint64_t size = std::uint64_t{1} << (26 + random.below(random.one_in(8) ? 12 : 4));
      view.put(part.header + offsetof(Elf64_Shdr, sh_size), size);
      out.size = part.begin + size + random.below(4096);
      break;
    }
    case 3:  // compressed, says its header
      view.put(
          part.header + offsetof(Elf64_Shdr, sh_flags),
          view.get<std::uint64_t>(part.header + offsetof(Elf64_Shdr, sh_flags)) ^ SHF_COMPRESSED);
      if (random.one_in(2)) {
        view.put(part.begin, Elf64_Chdr{static_cast<Elf64_Word>(random.below(4)), 0,
                                        random.number(part.size * 1000), 1});
      }
      break;
    default:
      change(view, part.header, random.of(kSectionFields), random);
  }
  return false;
}

bool damage_segment(View& view, Damaged&, Random& random) {
  const std::size_t at =
      view.header.e_phoff + random.below(view.header.e_phnum) * sizeof(Elf64_Phdr);
  change(view, at, random.of(kSegmentFields), random);
  return false;
}

// Values within instructions and data, sizes that overlap, names out of the table.
bool damage_symbols(View& view, Damaged&, Random& random) {
  const Part* const table = view.find(random.one_in(3) ? ".dynsym" : ".symtab");
  const Part* const code = view.find(".text");
  if (table == nullptr || table->size < sizeof(Elf64_Sym)) return true;
  for (std::uint64_t left = 1 + random.below(12); left > 0; --left) {
    const std::size_t at =
        table->begin + random.below(table->size / sizeof(Elf64_Sym)) * sizeof(Elf64_Sym);
    auto symbol = view.get<Elf64_Sym>(at);
    switch (random.below(8)) {
      case 0:
        symbol.st_name = static_cast<Elf64_Word>(random.number(symbol.st_name));
        break;
      case 1:
        symbol.st_value = random.number(symbol.st_value);
        break;
      case 2:
        symbol.st_size = random.number(symbol.st_size);
        break;
      case 3:
        symbol.st_shndx = static_cast<Elf64_Section>(random.word());
        break;
      case 4:
        symbol.st_info = static_cast<unsigned char>(random.word());
        break;
      case 5:
        symbol.st_value = random.of(view.parts).address + random.below(64);
        symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
        symbol.st_size = 1 + random.below(200);
        break;
      default:
        symbol.st_value += random.below(16);
        symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
        if (code != nullptr && random.one_in(2)) {
          symbol.st_value = code->address + random.below(code->size);
          symbol.st_size = random.below(300);
          symbol.st_shndx = 1;
        }
    }
    view.put(at, symbol);
  }
  return true;
}

constexpr std::array kOperands = {
    "-4@%edi 8@-16(%rbp,%rax,8) 4@$5"sv,
    "8@(((((((((((((((((((((((((("sv,
    "-9223372036854775809@$-9223372036854775809"sv,
    "@"sv,
    "8@"sv,
    "@@@@@@@@"sv,
    "4@%"sv,
    "8@%rip"sv,
    "8@main(%rip) 8@-1+main(%rip) 8@main+-(%rip)"sv,
    "8@(%rax,%rax,3) 8@(,,)"sv,
    "99999999999999999999@%rax"sv,
    "8f@%xmm99 16@%zmm31"sv,
    "\xff\xfe\x80 8@\x01%rdi"sv,
    "1@$1 1@$2 1@$3 1@$4 1@$5 1@$6 1@$7 1@$8 1@$9 1@$10 1@$11 1@$12"sv,
};

bool damage_notes(View& view, Damaged&, Random& random) {
  constexpr std::array kNames = {".note.stapsdt"sv, ".note.stapsdt"sv, ".note.dtrace"sv,
                                 ".note.gnu.build-id"sv, ".note.gnu.property"sv};
  const Part* const part = view.find(random.of(kNames));
  if (part == nullptr || part->size < sizeof(Elf64_Nhdr)) return true;
  std::size_t at = part->begin;
  const std::size_t end = at + part->size;
  for (std::uint64_t skip = random.below(4); skip > 0; --skip) {
    const auto note = view.get<Elf64_Nhdr>(at);
    const std::size_t next =
        at + sizeof note + (note.n_namesz + 3) / 4 * 4 + (note.n_descsz + 3) / 4 * 4;
    if (next + sizeof note >= end) break;
    at = next;
  }
  const std::size_t body = at + sizeof(Elf64_Nhdr) + 8;
  switch (random.below(6)) {
    case 0:
    case 1:
      change(view, at, Field{random.below(3) * 4, 4}, random);
      break;
    case 2:  // the site, the anchor, the counter
      view.put(body + random.below(3) * 8, random.number(view.get<std::uint64_t>(body)));
      break;
    case 3:  // near where they are
      view.put(body + random.below(3) * 8, view.get<std::uint64_t>(body) + random.below(64) - 32);
      break;
    case 4:
      view.put_text(body + 24 + random.below(24), random.of(kOperands));
      break;
    default:
      view.put(body + random.below(end > body ? end - body : 1),
               static_cast<std::uint8_t>(random.word()));
  }
  return true;
}

// What stands beside the file in the place where it is read: tests/elf/neighbours.h.
constexpr std::array kLinks = {"self"sv,
                               "other"sv,
                               "../self"sv,
                               "/etc/passwd"sv,
                               "/dev/zero"sv,
                               "fifo"sv,
                               "loop"sv,
                               "directory"sv,
                               "/proc/self/mem"sv,
                               ".."sv,
                               "."sv,
                               ""sv,
                               "a\0b"sv,
                               "/"sv,
                               "././././self"sv,
                               "\x1b[31m\xff"sv,
                               "/proc/self/exe"sv,
                               "linked.debug"sv,
                               "%s%n"sv,
                               "directory/../other"sv};

bool damage_links(View& view, Damaged&, Random& random) {
  constexpr std::array kNames = {".gnu_debuglink"sv, ".gnu_debugaltlink"sv, ".note.gnu.build-id"sv,
                                 ".gnu_debugdata"sv, ".dynstr"sv,           ".dynamic"sv};
  const Part* const part = view.find(random.of(kNames));
  if (part == nullptr || part->size == 0) return true;
  if (part->name == ".dynamic") {
    view.put(part->begin + random.below(part->size / 8) * 8, random.number(random.below(64)));
    return true;
  }
  if (part->name == ".dynstr" || part->name.starts_with(".gnu_debug")) {
    const std::size_t at = part->name == ".dynstr" ? random.below(part->size) : 0;
    const std::string_view text = random.of(kLinks);
    view.put_text(part->begin + at, text);
    if (random.one_in(2)) view.put<char>(part->begin + at + text.size(), '\0');
    // Identities that paths are made of have these lengths.
    if (random.one_in(4)) view.put(part->header + offsetof(Elf64_Shdr, sh_size), random.below(40));
    return true;
  }
  view.put(part->begin + random.below(part->size), static_cast<std::uint8_t>(random.word()));
  return true;
}

bool damage_end(View& view, Damaged& out, Random& random) {
  const Part& part = random.of(view.parts);
  const std::size_t at =
      random.one_in(2) ? random.below(view.bytes.size()) : part.begin + random.below(part.size + 1);
  view.bytes.resize(std::min<std::size_t>(at, view.bytes.size()));
  out.size = 0;
  return false;
}

bool damage_bytes(View& view, Damaged&, Random& random) {
  const Part& part = random.of(view.parts);
  const Part& other = random.of(view.parts);
  if (part.size == 0) return true;
  if (random.one_in(4)) {
    for (std::size_t i = 0; i < std::min({part.size, other.size, std::size_t{4096}}); ++i) {
      view.put(part.begin + i, view.get<std::uint8_t>(other.begin + i));
    }
    return false;
  }
  for (std::uint64_t left = 1 + random.below(32); left > 0; --left) {
    const std::size_t at = part.begin + random.below(part.size);
    view.put(at, static_cast<std::uint8_t>(random.one_in(2) ? random.word()
                                                            : view.get<std::uint8_t>(at) ^
                                                                  (1U << random.below(8))));
  }
  return false;
}

struct Way {
  std::string_view name;
  std::uint64_t weight;
  // True when it changed only what is said about the code.
  bool (*apply)(View&, Damaged&, Random&);
};
constexpr std::array<Way, 10> kWays = {{{"header", 3, damage_header},
                                        {"section", 5, damage_section},
                                        {"segment", 3, damage_segment},
                                        {"symbols", 6, damage_symbols},
                                        {"notes", 5, damage_notes},
                                        {"frames", 6, damage_frames},
                                        {"DWARF", 10, damage_dwarf},
                                        {"links", 4, damage_links},
                                        {"end", 1, damage_end},
                                        {"bytes", 3, damage_bytes}}};

const Way& way(Random& random) {
  std::uint64_t all = 0;
  for (const Way& one : kWays) all += one.weight;
  std::uint64_t at = random.below(all);
  for (const Way& one : kWays) {
    if (at < one.weight) return one;
    at -= one.weight;
  }
  return kWays.back();
}

}  // namespace

Damaged damage(const Sample& sample, Random& random) {
  Damaged out;
  out.bytes = sample.bytes;
  out.what = sample.name + ":";
  View view(out.bytes);
  for (std::uint64_t left = 1 + random.below(random.one_in(4) ? 6 : 2); left > 0; --left) {
    const Way& how = view.parts.empty() ? kWays.front() : way(random);
    out.what.append(" ").append(how.name);
    out.only_lies = how.apply(view, out, random) && out.only_lies;
  }
  out.size = std::max<std::uint64_t>(out.size, out.bytes.size());
  return out;
}

Damaged damage_unexecuted(const Sample& sample, Random& random) {
  Damaged out = damage(sample, random);
  Bytes whole = sample.bytes;
  const View view(whole);
  // Where sections are is of no concern to the kernel.
  auto header = view.get<Elf64_Ehdr>(0);
  Elf64_Ehdr damaged{};
  std::memcpy(&damaged, out.bytes.data(), std::min(sizeof damaged, out.bytes.size()));
  header.e_shoff = damaged.e_shoff;
  header.e_shentsize = damaged.e_shentsize;
  header.e_shnum = damaged.e_shnum;
  header.e_shstrndx = damaged.e_shstrndx;
  std::size_t end = header.e_phoff + header.e_phnum * sizeof(Elf64_Phdr);
  std::vector<bool> is_needed(whole.size());
  std::fill_n(is_needed.begin(), end, true);
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = view.get<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment.p_type != PT_LOAD) continue;
    std::fill_n(is_needed.begin() + static_cast<std::ptrdiff_t>(segment.p_offset), segment.p_filesz,
                true);
    end = std::max<std::size_t>(end, segment.p_offset + segment.p_filesz);
  }
  for (const Part& part : view.parts) {
    if (!part.name.starts_with(".eh_frame") && !part.name.starts_with(".note")) continue;
    std::fill_n(is_needed.begin() + static_cast<std::ptrdiff_t>(part.begin), part.size, false);
  }
  out.bytes.resize(std::max(out.bytes.size(), end));
  for (std::size_t i = 0; i < end; ++i) {
    if (is_needed[i]) out.bytes[i] = whole[i];
  }
  std::memcpy(out.bytes.data(), &header, sizeof header);
  out.size = std::max<std::uint64_t>(out.size, out.bytes.size());
  return out;
}

}  // namespace dt::elf
