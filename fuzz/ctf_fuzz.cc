// Any bytes as CTF, alone or as an archive, of a file with symbols: two bytes say how many are its
// symbols and how many of those are their names; one says how the sizes of arrays are written.

#include <cstddef>
#include <cstdint>

#include "ask_types.h"
#include "types/ctf_source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dt::types;
  constexpr std::size_t kHead = 3;
  if (size < kHead) return 0;
  const std::uint8_t* at = data + kHead;
  const std::uint8_t* const end = data + size;
  const auto take = [&](std::size_t count) {
    const std::uint8_t* const from = at;
    at += std::min(count, static_cast<std::size_t>(end - at));
    return dt::symbol::ElfFile::Bytes(from, at);
  };
  CtfFile file;
  file.symbols = take(std::size_t{data[0]} * 24);
  file.strings = take(data[1]);
  file.dynamic_symbols = file.symbols;
  file.dynamic_strings = file.strings;
  file.array_order = static_cast<CtfFile::ArrayOrder>(data[2] % 3);
  file.ctf.assign(at, end);
  auto source = CtfSource::make("a.out", std::move(file));
  if (!source.ok()) return 0;
  Catalog catalog;
  catalog.add_source(std::move(*source));
  ask_everything(catalog, "a.out");
  return 0;
}
