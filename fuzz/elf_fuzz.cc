// Any bytes as an ELF file that says who it is and where what was stripped off it lies, as
// code that makes system calls, as a perf map, as what a probe has read of a function of Python,
// and as a list of directories.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "ask_elf.h"
#include "machine/x86_64/system_calls.h"
#include "support/check.h"
#include "symbol/interpreter/source_frame.h"
#include "symbol/process/process.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dt::symbol;
  if (size >= 4 && data[0] == 0x7f && data[1] == 'E') {
    const auto elf = ElfFile::from_bytes(ElfFile::Bytes(data, data + size));
    if (elf.ok()) ask_identity(*elf);
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
  static_cast<void>(dt::machine::system_calls({data, size}));
  return 0;
}
