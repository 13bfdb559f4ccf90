// See notes.h.

#include "symbol/elf/notes.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace dt::symbol {
namespace {

std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

}  // namespace

std::vector<std::string_view> notes_of(std::string_view section, std::string_view owner,
                                       std::uint32_t type, std::size_t most) {
  std::vector<std::string_view> found;
  while (section.size() >= sizeof(Elf64_Nhdr) && found.size() < most) {
    Elf64_Nhdr header;
    std::memcpy(&header, section.data(), sizeof header);
    section.remove_prefix(sizeof header);
    const std::size_t name_size = padded(header.n_namesz);
    const std::size_t body_size = padded(header.n_descsz);
    // The sizes in a header are without the padding, and the next note begins behind it.
    //
    // The last one need not be padded.
    if (name_size > section.size() || header.n_descsz > section.size() - name_size) break;
    const bool is_wanted = section.substr(0, header.n_namesz) == owner && header.n_type == type;
    if (is_wanted) found.push_back(section.substr(name_size, header.n_descsz));
    section.remove_prefix(std::min(section.size(), name_size + body_size));
  }
  return found;
}

}  // namespace dt::symbol
