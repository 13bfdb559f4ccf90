// The source of this program's own code is what elfutils says.

#include <gtest/gtest.h>

#if __has_include(<elfutils/libdw.h>)

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "support/fd.h"
#include "symbol/dwarf/source_lines.h"
#include "symbol/elf/file.h"
#include "symbol/process/debug_file.h"

namespace dt::symbol {
namespace {

using Frames = std::vector<SourceFrame>;

// libdw gives names of files as they are within the directory where it was compiled.
bool is_same(const SourceFrame& ours, const SourceFrame& theirs) {
  return ours.function == theirs.function && ours.line == theirs.line &&
         (ours.file == theirs.file ||
          (!theirs.file.empty() && ours.file.ends_with('/' + theirs.file)));
}

std::string text(const Frames& frames) {
  std::string out;
  for (const SourceFrame& one : frames) {
    out += fmt::format("[{} {}:{}]", one.function, one.file, one.line);
  }
  return out;
}

SourceFrame frame(std::string function, const char* file, int line) {
  const bool is_known = file != nullptr && line != 0;
  return {std::move(function), is_known ? file : "",
          is_known ? static_cast<std::uint32_t>(line) : 0};
}

std::string name_of(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  for (const unsigned int name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name}) {
    if (dwarf_attr_integrate(die, name, &attribute) != nullptr) {
      const char* const text = dwarf_formstring(&attribute);
      return text == nullptr ? "" : text;
    }
  }
  return {};
}

Dwarf_Word number_of(Dwarf_Die* die, unsigned int name) {
  Dwarf_Attribute attribute;
  Dwarf_Word number = 0;
  dwarf_formudata(dwarf_attr(die, name, &attribute), &number);
  return number;
}

// What libdw says of an address; empty without a unit.
Frames of_libdw(Dwarf* dwarf, Dwarf_Addr address) {
  Dwarf_Die unit;
  if (dwarf_addrdie(dwarf, address, &unit) == nullptr) return {};
  Dwarf_Files* files = nullptr;
  dwarf_getsrcfiles(&unit, &files, nullptr);
  const char* file = nullptr;
  int number = 0;
  if (Dwarf_Line* const at = dwarf_getsrc_die(&unit, address)) {
    file = dwarf_linesrc(at, nullptr, nullptr);
    dwarf_lineno(at, &number);
  }
  Frames out;
  // By address, outside of what was inlined are the scopes in which it is declared.
  Dwarf_Die* innermost = nullptr;
  Dwarf_Die* scopes = nullptr;
  int count = 0;
  if (dwarf_getscopes(&unit, address, &innermost) > 0) {
    count = dwarf_getscopes_die(innermost, &scopes);
  }
  const std::unique_ptr<Dwarf_Die, void (*)(void*)> freed(scopes, std::free);
  const std::unique_ptr<Dwarf_Die, void (*)(void*)> freed_too(innermost, std::free);
  for (int i = 0; i < count; ++i) {
    if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram) break;
    if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) continue;
    out.push_back(frame(name_of(&scopes[i]), file, number));
    file = dwarf_filesrc(files, number_of(&scopes[i], DW_AT_call_file), nullptr, nullptr);
    number = static_cast<int>(number_of(&scopes[i], DW_AT_call_line));
  }
  out.push_back(frame("", file, number));
  return out;
}

struct Compared {
  int addresses = 0, inlined = 0, different = 0;
};

Compared compare(const ElfFile& code, std::shared_ptr<const ElfFile> debug, const std::string& path,
                 std::uint64_t step) {
  Compared compared;
  SourceLines source(debug, nullptr);
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  Dwarf* const dwarf = dwarf_begin(fd.get(), DWARF_C_READ);
  const std::unique_ptr<Dwarf, int (*)(Dwarf*)> ended(dwarf, dwarf_end);
  for (const ElfFile::Segment& segment : code.segments()) {
    if (!segment.is_executable) continue;
    for (std::uint64_t i = 0; i < segment.file_size; i += step) {
      const Frames theirs = of_libdw(dwarf, segment.address + i);
      if (theirs.empty()) continue;
      const Frames ours = source.find(segment.address + i, {true, true});
      ++compared.addresses;
      compared.inlined += theirs.size() > 1 ? 1 : 0;
      if (std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(), is_same)) continue;
      if (++compared.different <= 3) {
        ADD_FAILURE() << fmt::format("at {:#x}: {}, elfutils has {}", segment.address + i,
                                     text(ours), text(theirs));
      }
    }
  }
  return compared;
}

TEST(SourceLines, AreThoseOfElfutils) {
  auto elf = ElfFile::open("/proc/self/exe");
  ASSERT_TRUE(elf.ok());
  if (!elf->has(".debug_info")) GTEST_SKIP() << "this program was built without -g";
  const auto code = std::make_shared<const ElfFile>(std::move(*elf));
  const Compared compared = compare(*code, code, "/proc/self/exe", 211);
  EXPECT_EQ(compared.different, 0);
  EXPECT_GT(compared.addresses, 1000);
}

// Of another compiler, stripped off, and compressed.
TEST(SourceLines, OfTheCLibraryAreThoseOfElfutils) {
  auto libc = ElfFile::open("/lib/x86_64-linux-gnu/libc.so.6");
  if (!libc.ok()) GTEST_SKIP() << "there is no libc where Debian has it";
  const std::string path = path_of_build_id(libc->build_id());
  auto debug = ElfFile::open(path);
  if (!debug.ok()) GTEST_SKIP() << "libc6-dbg is not installed";
  if (!debug->alt_link().path.empty()) GTEST_SKIP() << "elfutils wants to be told of dwz files";
  const Compared compared =
      compare(*libc, std::make_shared<const ElfFile>(std::move(*debug)), path, 61);
  EXPECT_EQ(compared.different, 0);
  EXPECT_GT(compared.inlined, 1000);
}

}  // namespace
}  // namespace dt::symbol

#endif
