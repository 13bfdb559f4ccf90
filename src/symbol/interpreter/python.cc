// See python.h.
//
// Python keeps a list of its threads, and each thread a chain of frames, in structures that change
// with each minor version. The image is the addresses where reading begins: the runtime's
// structure, and the types of code objects, texts and bytes, by which an object is recognised
// before its members are read.

#include "symbol/interpreter/python.h"

#include <elf.h>

#include <algorithm>
#include <utility>

#include "symbol/elf/dynamic_symbols.h"

namespace dt::symbol {
namespace {

constexpr std::uint32_t kPythonVersion = 0x030b;  // Py_Version >> 16

}  // namespace

std::optional<PythonImage> python_image(const ElfFile& elf) {
  if (elf.machine() != EM_X86_64 || !elf.has(".PyRuntime")) return std::nullopt;
  const auto code = std::find_if(elf.segments().begin(), elf.segments().end(),
                                 [](const auto& segment) { return segment.is_executable; });
  if (code == elf.segments().end()) return std::nullopt;
  const DynamicSymbols symbols(elf);
  const auto version = symbols.find("Py_Version");
  const auto place = version ? elf.offset_of(version->address) : std::nullopt;
  std::uint32_t number = 0;
  if (!place || !elf.read(*place, &number, sizeof number) || number >> 16 != kPythonVersion) {
    return std::nullopt;
  }
  // Builds for debugging (--with-pydebug, --with-trace-refs) have other layouts. They count
  // references, or list objects, by one of these functions.
  if (symbols.find("_Py_NegativeRefcount") || symbols.find("_Py_AddToAllObjects")) {
    return std::nullopt;
  }
  PythonImage image;
  for (const auto& [name, to] :
       {std::pair{"_PyRuntime", &image.runtime}, std::pair{"PyCode_Type", &image.code_type},
        std::pair{"PyUnicode_Type", &image.text_type},
        std::pair{"PyBytes_Type", &image.bytes_type}}) {
    const auto symbol = symbols.find(name);
    if (!symbol) return std::nullopt;
    // Relative to where the file's offset 0 would be mapped: the unwinder knows a mapping of code
    // and its offset in the file.
    *to = static_cast<std::int64_t>(symbol->address - (code->address - code->offset));
  }
  return image;
}

}  // namespace dt::symbol
