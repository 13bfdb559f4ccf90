// See view.h.

#include "view.h"

#include <algorithm>

namespace dt::elf {

View::View(Bytes& all) : bytes(all) {
  header = get<Elf64_Ehdr>(0);
  const auto names =
      get<Elf64_Shdr>(header.e_shoff + std::size_t{header.e_shstrndx} * sizeof(Elf64_Shdr));
  for (std::size_t i = 1; i < header.e_shnum; ++i) {
    Part part;
    part.header = header.e_shoff + i * sizeof(Elf64_Shdr);
    const auto section = get<Elf64_Shdr>(part.header);
    if (section.sh_type == SHT_NOBITS || section.sh_offset > bytes.size() ||
        section.sh_size > bytes.size() - section.sh_offset) {
      continue;
    }
    part.begin = section.sh_offset;
    part.size = section.sh_size;
    part.address = section.sh_addr;
    for (std::size_t at = names.sh_offset + section.sh_name; at < bytes.size() && bytes[at] != 0;
         ++at) {
      part.name.push_back(static_cast<char>(bytes[at]));
    }
    parts.push_back(std::move(part));
  }
}

const Part* View::find(std::string_view name) const {
  const auto found =
      std::find_if(parts.begin(), parts.end(), [&](const Part& one) { return one.name == name; });
  return found == parts.end() ? nullptr : &*found;
}

void View::put_text(std::size_t at, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) put(at + i, text[i]);
}

void View::put_number(std::size_t at, std::size_t width, std::uint64_t value) {
  if (at > bytes.size() || width > bytes.size() - at) return;
  std::memcpy(bytes.data() + at, &value, width);
}

}  // namespace dt::elf
