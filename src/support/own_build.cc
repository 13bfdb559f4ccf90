// See own_build.h.
//
// The linker puts a note into each object, a hash of its contents (ld --build-id):
//   u32 4 (bytes of the name) | u32 bytes of the hash | u32 3 (NT_GNU_BUILD_ID) | "GNU\0" | hash
// The loader has mapped it with the rest of the object.

#include "support/own_build.h"

#include <elf.h>
#include <fmt/core.h>
#include <link.h>

#include <cstdint>
#include <cstring>

namespace dt::support {
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

std::string id_in(const std::uint8_t* notes, std::size_t size) {
  constexpr std::size_t kAligned = 4;
  for (std::size_t at = 0; size - at >= sizeof(ElfW(Nhdr));) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof note);
    at += sizeof note;
    const std::size_t name = (std::size_t{note.n_namesz} + kAligned - 1) / kAligned * kAligned;
    const std::size_t body = (std::size_t{note.n_descsz} + kAligned - 1) / kAligned * kAligned;
    if (name > size - at || body > size - at - name) return {};
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
        std::memcmp(notes + at, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0) {
      std::string id;
      for (std::size_t i = 0; i < note.n_descsz; ++i)
        id += fmt::format("{:02x}", notes[at + name + i]);
      return id;
    }
    at += name + body;
  }
  return {};
}

int find_id(dl_phdr_info* object, std::size_t, void* found) {
  if (!is_here(*object)) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& one = object->dlpi_phdr[i];
    if (one.p_type != PT_NOTE) continue;
    const auto* const notes =
        reinterpret_cast<const std::uint8_t*>(object->dlpi_addr + one.p_vaddr);
    std::string id = id_in(notes, one.p_memsz);
    if (!id.empty()) *static_cast<std::string*>(found) = std::move(id);
  }
  return 1;
}

}  // namespace

std::string own_build_id() {
  std::string found;
  ::dl_iterate_phdr(find_id, &found);
  return found;
}

}  // namespace dt::support
