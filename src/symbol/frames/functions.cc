// See functions.h.

#include "symbol/frames/functions.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <tuple>
#include <utility>

namespace dt::symbol {
namespace {

constexpr std::size_t kMaxFunctions = 4'000'000;
constexpr std::size_t kMaxNameBytes = 4096;
constexpr std::size_t kMaxNames = std::size_t{256} << 20;  // bytes of all, many of one text
constexpr std::uint64_t kMaxTableBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t kMaxStringTableBytes = std::uint64_t{512} << 20;

// Fewer leading underscores, then a global one.
std::uint32_t rank_of(std::string_view name, unsigned char binding) {
  const std::size_t underscores = std::min<std::size_t>(name.find_first_not_of('_'), 100);
  const std::uint32_t by_binding = binding == STB_GLOBAL ? 0 : binding == STB_WEAK ? 1 : 2;
  return static_cast<std::uint32_t>(underscores) * 4 + by_binding;
}

// The name that begins at `at`, without "@VERSION"; empty when it is none.
std::string_view name_at(const ElfFile::Bytes& names, std::uint32_t at) {
  if (at >= names.size()) return {};
  const auto* const text = reinterpret_cast<const char*>(names.data()) + at;
  const std::size_t size = ::strnlen(text, std::min(names.size() - at, kMaxNameBytes));
  if (size == kMaxNameBytes) return {};
  const std::string_view name(text, size);
  return name.substr(0, name.find('@'));
}

void add(const ElfFile& file, const char* table, const char* strings, const ElfFile& elf,
         std::vector<Function>& to) {
  const Result<ElfFile::Bytes> symbols = file.section(table, kMaxTableBytes);
  const Result<ElfFile::Bytes> names = file.section(strings, kMaxStringTableBytes);
  if (!symbols.ok() || !names.ok()) return;
  to.reserve(std::min(to.size() + symbols->size() / sizeof(Elf64_Sym), kMaxFunctions));
  std::size_t name_bytes = 0;
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= symbols->size(); at += sizeof(Elf64_Sym)) {
    if (to.size() == kMaxFunctions) return;
    Elf64_Sym symbol;
    std::memcpy(&symbol, symbols->data() + at, sizeof symbol);
    const unsigned char type = ELF64_ST_TYPE(symbol.st_info);
    // A symbol without a section is defined elsewhere; its address is that of a PLT entry.
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol.st_shndx == SHN_UNDEF) continue;
    const std::string_view name = name_at(*names, symbol.st_name);
    const auto offset = elf.offset_of(symbol.st_value);
    if (name.empty() || name.find(':') != name.npos || !offset) continue;
    name_bytes += name.size();
    if (name_bytes > kMaxNames) return;
    to.push_back({std::string(name), symbol.st_value, symbol.st_size, *offset,
                  type == STT_GNU_IFUNC, rank_of(name, ELF64_ST_BIND(symbol.st_info))});
  }
}

// Under the names that .symtab has. Those that cannot be distinguished are left out.
void add_go(const GoTable& go, const ElfFile& elf, std::vector<Function>& to) {
  for (const auto& [name, function] : go.named()) {
    const auto offset = elf.offset_of(function->address);
    if (name.empty() || name.find(':') != name.npos || !offset) continue;
    to.push_back({name, function->address, function->size, *offset, false, 0});
  }
}

// Tens of thousands are sorted for a few that are asked for, so the keys are, which are small, and
// not the functions.
std::vector<Function> by_address(std::vector<Function> all) {
  struct Key {
    std::uint64_t address;
    std::uint32_t rank, index;
  };
  std::vector<Key> keys(all.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) keys[i] = {all[i].address, all[i].rank, i};
  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    if (a.address != b.address) return a.address < b.address;
    if (a.rank != b.rank) return a.rank < b.rank;
    const Function &one = all[a.index], &other = all[b.index];
    return std::tie(one.name, other.size) < std::tie(other.name, one.size);
  });
  std::vector<Function> sorted;
  sorted.reserve(all.size());
  for (const Key& key : keys) sorted.push_back(std::move(all[key.index]));
  return sorted;
}

// The first eight bytes as a number that is less where the name is.
std::uint64_t beginning(const std::string& name) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < sizeof word; ++i) {
    word = word << 8 | (i < name.size() ? static_cast<unsigned char>(name[i]) : 0);
  }
  return word;
}

// The indices by name, those of one name as they are in `all`.
std::vector<std::uint32_t> by_name(const std::vector<Function>& all) {
  struct Key {
    std::uint64_t beginning;
    std::uint32_t index;
  };
  std::vector<Key> keys(all.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) keys[i] = {beginning(all[i].name), i};
  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    if (a.beginning != b.beginning) return a.beginning < b.beginning;
    const int order = all[a.index].name.compare(all[b.index].name);
    return order != 0 ? order < 0 : a.index < b.index;
  });
  std::vector<std::uint32_t> sorted;
  sorted.reserve(all.size());
  for (const Key& key : keys) sorted.push_back(key.index);
  return sorted;
}

// Which function the word at an address is the address of, when the program runs.
std::map<std::uint64_t, std::string> linked_words(const ElfFile& elf) {
  std::map<std::uint64_t, std::string> out;
  const Result<ElfFile::Bytes> symbols = elf.section(".dynsym", kMaxTableBytes);
  const Result<ElfFile::Bytes> names = elf.section(".dynstr", kMaxStringTableBytes);
  if (!symbols.ok() || !names.ok()) return out;
  for (const char* const table : {".rela.plt", ".rela.dyn"}) {
    const Result<ElfFile::Bytes> all = elf.section(table, kMaxTableBytes);
    if (!all.ok()) continue;
    for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= all->size(); at += sizeof(Elf64_Rela)) {
      Elf64_Rela one;
      std::memcpy(&one, all->data() + at, sizeof one);
      const std::uint64_t type = ELF64_R_TYPE(one.r_info);
      const std::uint64_t which = ELF64_R_SYM(one.r_info) * sizeof(Elf64_Sym);
      if ((type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) ||
          which + sizeof(Elf64_Sym) > symbols->size() || out.size() == kMaxFunctions) {
        continue;
      }
      Elf64_Sym symbol;
      std::memcpy(&symbol, symbols->data() + which, sizeof symbol);
      const std::string_view name = name_at(*names, symbol.st_name);
      if (!name.empty() && name.find(':') == name.npos) out.emplace(one.r_offset, name);
    }
  }
  return out;
}

// Where the jump at the beginning of the bytes finds its target, behind what may stand before it:
// endbr64, bnd. `end`: behind the jump.
std::optional<std::uint64_t> jump_word(std::span<const std::uint8_t> bytes, std::uint64_t address,
                                       std::size_t& end) {
  constexpr std::uint8_t kEndbr64[] = {0xf3, 0x0f, 0x1e, 0xfa}, kJump[] = {0xff, 0x25};
  constexpr std::uint8_t kBnd = 0xf2;
  std::size_t at = 0;
  const auto has = [&](std::span<const std::uint8_t> wanted) {
    return at + wanted.size() <= bytes.size() &&
           std::equal(wanted.begin(), wanted.end(), bytes.data() + at);
  };
  if (has(kEndbr64)) at += sizeof kEndbr64;
  if (at < bytes.size() && bytes[at] == kBnd) ++at;
  if (!has(kJump)) return std::nullopt;
  at += sizeof kJump;
  std::int32_t distance = 0;
  if (at + sizeof distance > bytes.size()) return std::nullopt;
  std::memcpy(&distance, bytes.data() + at, sizeof distance);
  end = at + sizeof distance;
  return address + end + static_cast<std::uint64_t>(std::int64_t{distance});
}

}  // namespace

Functions Functions::read(const ElfFile& elf, const ElfFile* debug, const GoTable* go) {
  Functions result;
  std::vector<Function>& all = result.functions_;
  if (elf.has(".symtab")) {
    add(elf, ".symtab", ".strtab", elf, all);
  } else if (debug != nullptr) {
    add(*debug, ".symtab", ".strtab", elf, all);
  } else if (go != nullptr) {
    add_go(*go, elf, all);
  }
  add(elf, ".dynsym", ".dynstr", elf, all);
  all = by_address(std::move(all));
  const auto is_same = [](const Function& a, const Function& b) {
    return a.address == b.address && a.name == b.name;
  };
  all.erase(std::unique(all.begin(), all.end(), is_same), all.end());
  result.by_name_ = by_name(all);
  return result;
}

std::vector<Function> linkage_functions(const ElfFile& elf) {
  std::vector<Function> out;
  if (elf.machine() != EM_X86_64) return out;
  const std::map<std::uint64_t, std::string> words = linked_words(elf);
  for (const char* const section : {".plt", ".plt.sec", ".plt.got"}) {
    constexpr std::size_t kEach = 8;  // pieces begin at multiples of it
    const Result<ElfFile::Bytes> code = elf.section(section, kMaxTableBytes);
    if (!code.ok()) continue;
    const std::uint64_t base = elf.section_address(section);
    for (std::size_t at = 0; at < code->size(); at += kEach) {
      std::size_t size = 0;
      const std::uint64_t address = base + at;
      const auto word = jump_word(std::span(*code).subspan(at), address, size);
      const auto found = word ? words.find(*word) : words.end();
      const auto offset = elf.offset_of(address);
      if (found == words.end() || !offset || out.size() == kMaxFunctions) continue;
      out.push_back({found->second + "@plt", address, size, *offset, false, 0});
    }
  }
  return out;
}

std::vector<std::uint64_t> exported_functions(const ElfFile& elf) {
  std::vector<Function> all;
  add(elf, ".dynsym", ".dynstr", elf, all);
  std::vector<std::uint64_t> addresses;
  for (const Function& one : all) addresses.push_back(one.address);
  return addresses;
}

std::optional<std::uint64_t> address_of_object(const ElfFile& elf, std::string_view name) {
  constexpr std::pair<const char*, const char*> kTables[] = {{".symtab", ".strtab"},
                                                             {".dynsym", ".dynstr"}};
  for (const auto& [table, strings] : kTables) {
    const Result<ElfFile::Bytes> symbols = elf.section(table, kMaxTableBytes);
    const Result<ElfFile::Bytes> names = elf.section(strings, kMaxStringTableBytes);
    if (!symbols.ok() || !names.ok()) continue;
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= symbols->size(); at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, symbols->data() + at, sizeof symbol);
      if (symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) != STT_TLS &&
          name_at(*names, symbol.st_name) == name) {
        return symbol.st_value;
      }
    }
  }
  return std::nullopt;
}

std::vector<const Function*> Functions::named(std::string_view name) const {
  std::vector<const Function*> found;
  auto it =
      std::lower_bound(by_name_.begin(), by_name_.end(), name,
                       [&](std::uint32_t a, std::string_view b) { return functions_[a].name < b; });
  for (; it != by_name_.end() && functions_[*it].name == name; ++it) {
    found.push_back(&functions_[*it]);
  }
  return found;
}

const Function* Functions::at(std::uint64_t address) const {
  auto it = std::upper_bound(
      functions_.begin(), functions_.end(), address,
      [](std::uint64_t value, const Function& one) { return value < one.address; });
  if (it == functions_.begin()) return nullptr;
  --it;
  while (it != functions_.begin() && std::prev(it)->address == it->address) --it;
  return address - it->address < it->size ? &*it : nullptr;
}

}  // namespace dt::symbol
