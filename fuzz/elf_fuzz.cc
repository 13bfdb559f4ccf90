// Any bytes as an ELF file that says who it is and where what was stripped off it lies, as
// code that makes system calls, as a perf map, as what a probe has read of a function of Python,
// and as a list of directories.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "support/check.h"
#include "symbol/debug_file.h"
#include "symbol/functions.h"
#include "symbol/interpreter.h"
#include "symbol/mini_debug.h"
#include "symbol/needed.h"
#include "symbol/process.h"
#include "symbol/source_frame.h"
#include "symbol/system_calls.h"

namespace {

using namespace dt::symbol;

void read_file_of_somebody(ElfFile::Bytes bytes) {
  const auto elf = ElfFile::from_bytes(std::move(bytes));
  if (!elf.ok()) return;
  // Paths of debug files are made of it.
  const std::string path = path_of_build_id(elf->build_id());
  DT_CHECK(path.find("..") == path.npos, "{}", path);
  elf->debug_link();
  elf->alt_link();
  elf->crc();
  needed_names(*elf);
  (void)interpreter_image(*elf);
  library_directories(*elf, "/usr/bin");
  if (const auto mini = mini_debug_file(*elf)) Functions::read(*mini, &*mini);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size >= 4 && data[0] == 0x7f && data[1] == 'E') {
    read_file_of_somebody(ElfFile::Bytes(data, data + size));
    return 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::uint64_t before = 0;
  for (const JitSymbol& one : parse_perf_map(text)) {
    DT_CHECK(one.begin >= before);
    before = one.begin;
  }
  if (SourceRecord record; size >= sizeof record) {
    std::memcpy(&record, data, sizeof record);
    const SourceName name = source_name_of(record);
    DT_CHECK(name.function.size() < 4 * record.function.size(), "{}", name.function.size());
    DT_CHECK(name.file.size() < 4 * record.file.size(), "{}", name.file.size());
  }
  directories_of(std::string(text), "/usr/bin");
  static_cast<void>(system_calls({data, size}));
  return 0;
}
