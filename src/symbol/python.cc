// See python.h.

#include "symbol/python.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>

namespace dt::symbol {
namespace {

constexpr std::uint64_t kMaxTableBytes = std::uint64_t{16} << 20;
constexpr std::uint32_t kVersion = 0x030b;  // Py_Version >> 16

// Of .dynsym, those that are defined.
std::map<std::string_view, std::uint64_t> addresses_of(const ElfFile::Bytes& symbols,
                                                       const ElfFile::Bytes& names) {
  std::map<std::string_view, std::uint64_t> found;
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    std::memcpy(&symbol, symbols.data() + at, sizeof symbol);
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= names.size()) continue;
    const auto* const begin = reinterpret_cast<const char*>(names.data()) + symbol.st_name;
    found.emplace(std::string_view(begin, ::strnlen(begin, names.size() - symbol.st_name)),
                  symbol.st_value);
  }
  return found;
}

}  // namespace

std::optional<PythonImage> python_image(const ElfFile& elf) {
  if (elf.machine() != EM_X86_64 || !elf.has(".PyRuntime")) return std::nullopt;
  const auto symbols = elf.section(".dynsym", kMaxTableBytes);
  const auto names = elf.section(".dynstr", kMaxTableBytes);
  const auto code = std::find_if(elf.segments().begin(), elf.segments().end(),
                                 [](const auto& segment) { return segment.is_executable; });
  if (!symbols.ok() || !names.ok() || code == elf.segments().end()) return std::nullopt;
  const auto addresses = addresses_of(*symbols, *names);
  const auto version = addresses.find("Py_Version");
  const auto place = version == addresses.end() ? std::nullopt : elf.offset_of(version->second);
  std::uint32_t number = 0;
  if (!place || !elf.read(*place, &number, sizeof number) || number >> 16 != kVersion) {
    return std::nullopt;
  }
  // What counts references, or lists objects, has this.
  if (addresses.contains("_Py_NegativeRefcount") || addresses.contains("_Py_AddToAllObjects")) {
    return std::nullopt;
  }
  PythonImage image;
  for (const auto& [name, to] :
       {std::pair{"_PyRuntime", &image.runtime}, std::pair{"PyCode_Type", &image.code_type},
        std::pair{"PyUnicode_Type", &image.text_type},
        std::pair{"PyBytes_Type", &image.bytes_type}}) {
    const auto address = addresses.find(name);
    if (address == addresses.end()) return std::nullopt;
    *to = static_cast<std::int64_t>(address->second - (code->address - code->offset));
  }
  return image;
}

}  // namespace dt::symbol
