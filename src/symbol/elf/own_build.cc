// See own_build.h. The loader has mapped the notes of an object with the rest of it.

#include "symbol/elf/own_build.h"

#include <elf.h>
#include <fmt/core.h>
#include <link.h>

#include <cstdint>
#include <string_view>

#include "symbol/elf/notes.h"

namespace dt::symbol {
namespace {

// Any address of this object.
const char kHere = 0;

bool is_here(const dl_phdr_info& object) {
  const auto here = reinterpret_cast<std::uintptr_t>(&kHere);
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& one = object.dlpi_phdr[i];
    if (one.p_type == PT_LOAD && here - (object.dlpi_addr + one.p_vaddr) < one.p_memsz) return true;
  }
  return false;
}

int find_id(dl_phdr_info* object, std::size_t, void* found) {
  if (!is_here(*object)) return 0;
  constexpr std::string_view kOwner(ELF_NOTE_GNU, sizeof ELF_NOTE_GNU);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& one = object->dlpi_phdr[i];
    if (one.p_type != PT_NOTE) continue;
    const std::string_view notes(reinterpret_cast<const char*>(object->dlpi_addr + one.p_vaddr),
                                 one.p_memsz);
    for (const std::string_view id : notes_of(notes, kOwner, NT_GNU_BUILD_ID, 1)) {
      for (const char byte : id) {
        *static_cast<std::string*>(found) += fmt::format("{:02x}", static_cast<std::uint8_t>(byte));
      }
    }
  }
  return 1;
}

}  // namespace

std::string own_build_id() {
  std::string found;
  ::dl_iterate_phdr(find_id, &found);
  return found;
}

}  // namespace dt::symbol
