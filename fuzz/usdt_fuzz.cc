// Any bytes as an ELF file whose notes, symbols and unwind table are read, and
// as the operands of a note and the instructions of a function.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ask_elf.h"
#include "machine/x86_64/instructions.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dt::symbol;
  if (size >= 4 && data[0] == 0x7f && data[1] == 'E') {
    const auto elf = ElfFile::from_bytes(ElfFile::Bytes(data, data + size));
    if (!elf.ok()) return 0;
    ask_notes(*elf);
    ask_functions(*elf);
    return 0;
  }
  parse_usdt_operands(std::string_view(reinterpret_cast<const char*>(data), size));
  parse_usdt_types(std::string_view(reinterpret_cast<const char*>(data), size));
  static_cast<void>(dt::machine::decode({data, size}));
  dt::machine::entry_site({data, size});
  return 0;
}
