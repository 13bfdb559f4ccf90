// See dynamic_symbols.h.

#include "symbol/elf/dynamic_symbols.h"

#include <elf.h>

#include <cstring>
#include <utility>

namespace dt::symbol {
namespace {

constexpr std::uint64_t kMaxDynamicBytes = std::uint64_t{16} << 20;

}  // namespace

// The only symbols that a stripped file must keep: the dynamic linker needs them. The table has no
// order; SHN_UNDEF entries are what the file itself needs from others.
DynamicSymbols::DynamicSymbols(const ElfFile& elf) {
  const auto symbols = elf.section(".dynsym", kMaxDynamicBytes);
  auto names = elf.section(".dynstr", kMaxDynamicBytes);
  if (!symbols.ok() || !names.ok()) return;
  names_ = std::move(*names);
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= symbols->size(); at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    std::memcpy(&symbol, symbols->data() + at, sizeof symbol);
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= names_.size()) continue;
    const auto* const begin = reinterpret_cast<const char*>(names_.data()) + symbol.st_name;
    symbols_.emplace(
        std::string_view(begin, ::strnlen(begin, names_.size() - symbol.st_name)),
        Symbol{symbol.st_value, symbol.st_size, static_cast<std::uint32_t>(at / sizeof(Elf64_Sym)),
               static_cast<unsigned char>(ELF64_ST_TYPE(symbol.st_info))});
  }
}

std::optional<DynamicSymbols::Symbol> DynamicSymbols::find(std::string_view name) const {
  const auto found = symbols_.find(name);
  return found == symbols_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace dt::symbol
