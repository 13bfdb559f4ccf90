// See ruby.h.

#include "symbol/ruby.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "symbol/dynamic_symbols.h"

namespace dt::symbol {
namespace {

constexpr std::uint64_t kMaxTableBytes = std::uint64_t{16} << 20;
constexpr std::string_view kContext = "ruby_current_ec";
constexpr std::array<std::int32_t, 2> kVersion = {3, 1};  // ruby_api_version

// Where the loader writes its number of the library, for the variable; 0: nowhere.
std::uint64_t module_place(const ElfFile& elf, std::uint32_t symbol) {
  const auto all = elf.section(".rela.dyn", kMaxTableBytes);
  if (!all.ok()) return 0;
  for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= all->size(); at += sizeof(Elf64_Rela)) {
    Elf64_Rela one;
    std::memcpy(&one, all->data() + at, sizeof one);
    if (ELF64_R_TYPE(one.r_info) == R_X86_64_DTPMOD64 && ELF64_R_SYM(one.r_info) == symbol) {
      return one.r_offset;
    }
  }
  return 0;
}

}  // namespace

std::optional<RubyImage> ruby_image(const ElfFile& elf) {
  if (elf.machine() != EM_X86_64) return std::nullopt;
  // Most files need not be looked at further.
  const auto names = elf.section(".dynstr", kMaxTableBytes);
  if (!names.ok() ||
      std::search(names->begin(), names->end(), kContext.begin(), kContext.end()) == names->end()) {
    return std::nullopt;
  }
  const DynamicSymbols symbols(elf);
  const auto version = symbols.find("ruby_api_version"), run = symbols.find("rb_vm_exec"),
             context = symbols.find(kContext);
  if (!version || !run || !context || context->type != STT_TLS || run->type != STT_FUNC) {
    return std::nullopt;
  }
  const auto place = elf.offset_of(version->address);
  std::array<std::int32_t, 2> number{};
  if (!place || !elf.read(*place, number.data(), sizeof number) || number != kVersion) {
    return std::nullopt;
  }
  const auto code = std::find_if(elf.segments().begin(), elf.segments().end(),
                                 [](const auto& segment) { return segment.is_executable; });
  const std::uint64_t module = module_place(elf, context->number);
  if (code == elf.segments().end() || module == 0 || run->size > UINT32_MAX ||
      context->address > UINT32_MAX) {
    return std::nullopt;
  }
  const std::uint64_t begin = code->address - code->offset;
  return RubyImage{
      static_cast<std::int64_t>(run->address - begin), static_cast<std::uint32_t>(run->size),
      static_cast<std::uint32_t>(context->address), static_cast<std::int64_t>(module - begin)};
}

}  // namespace dt::symbol
