#pragma once
// An ELF file while it is damaged: where its parts were when it was whole.

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "damage.h"

namespace dt::elf {

struct Part {
  std::string name;
  std::size_t header = 0;  // where its section header is
  std::size_t begin = 0, size = 0;
  std::uint64_t address = 0;
};

class View {
 public:
  // `bytes` are those of an undamaged file.
  explicit View(Bytes& bytes);

  Bytes& bytes;
  Elf64_Ehdr header{};
  std::vector<Part> parts;  // sections within the file

  const Part* find(std::string_view name) const;

  template <typename T>
  T get(std::size_t at) const {
    T value{};
    if (at <= bytes.size() && sizeof value <= bytes.size() - at) {
      std::memcpy(&value, bytes.data() + at, sizeof value);
    }
    return value;
  }
  template <typename T>
  void put(std::size_t at, T value) {
    if (at <= bytes.size() && sizeof value <= bytes.size() - at) {
      std::memcpy(bytes.data() + at, &value, sizeof value);
    }
  }
  void put_text(std::size_t at, std::string_view text);
  // A number of `width` bytes.
  void put_number(std::size_t at, std::size_t width, std::uint64_t value);
};

}  // namespace dt::elf
