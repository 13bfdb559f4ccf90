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
#include <map>
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

struct UnitRange {
  Dwarf_Word size = 0;
  std::vector<Dwarf_Off> units;  // the offset of each one's first entry
};
using UnitRanges = std::map<Dwarf_Addr, UnitRange>;  // by first address

// Not from .debug_aranges, which clang does not write.
UnitRanges unit_ranges(Dwarf* dwarf) {
  UnitRanges ranges;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
    Dwarf_Addr base = 0, begin = 0, end = 0;
    std::ptrdiff_t at = 0;
    while ((at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0) {
      if (begin <= 1 || begin >= end) continue;  // of code that the linker left out
      UnitRange range;
      range.size = end - begin;
      ranges.try_emplace(begin, range).first->second.units.push_back(dwarf_dieoffset(&die));
    }
  }
  return ranges;
}

// What libdw says of an address; empty without a unit. Which unit that is libdw says, too, but for
// an address that several have: there it takes any of them, and this the first.
Frames of_libdw(Dwarf* dwarf, const UnitRanges& ranges, Dwarf_Addr address) {
  const auto after = ranges.upper_bound(address);
  if (after == ranges.begin()) return {};
  const auto& [begin, range] = *std::prev(after);
  Dwarf_Die unit;
  if (address >= begin + range.size ||
      dwarf_offdie(dwarf, *std::min_element(range.units.begin(), range.units.end()), &unit) ==
          nullptr) {
    return {};
  }
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

#ifdef DT_SANITIZED
constexpr int kSlower = 16;  // by about so much
#else
constexpr int kSlower = 1;
#endif

struct Compared {
  int addresses = 0, inlined = 0, different = 0;
  int shared = 0;  // addresses that several units have
};

// At about `most` addresses, and as many that several units have.
Compared compare(std::shared_ptr<const ElfFile> debug, const std::string& path, Dwarf_Word most) {
  Compared compared;
  SourceLines source(debug, nullptr);
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  Dwarf* const dwarf = dwarf_begin(fd.get(), DWARF_C_READ);
  const std::unique_ptr<Dwarf, int (*)(Dwarf*)> ended(dwarf, dwarf_end);
  const UnitRanges ranges = unit_ranges(dwarf);
  Dwarf_Word shared = 0, others = 0;
  for (const auto& [begin, range] : ranges) {
    (range.units.size() > 1 ? shared : others) += range.size;
  }
  const Dwarf_Word shared_step = std::max<Dwarf_Word>(16, shared / most);
  const Dwarf_Word other_step = std::max<Dwarf_Word>(16, others / most);
  for (const auto& [begin, range] : ranges) {
    const Dwarf_Word by = kSlower * (range.units.size() > 1 ? shared_step : other_step);
    for (Dwarf_Word i = begin % by; i < range.size; i += by) {
      const Frames theirs = of_libdw(dwarf, ranges, begin + i);
      if (theirs.empty()) continue;
      const Frames ours = source.find(begin + i, {true, true});
      ++compared.addresses;
      compared.inlined += theirs.size() > 1 ? 1 : 0;
      compared.shared += range.units.size() > 1 ? 1 : 0;
      if (std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(), is_same)) continue;
      if (++compared.different <= 3) {
        ADD_FAILURE() << fmt::format("at {:#x}: {}, elfutils has {}", begin + i, text(ours),
                                     text(theirs));
      }
    }
  }
  return compared;
}

// elfutils reads a whole unit for each address, and the units of this program are large.
//
// A function that several units have compiled alike is in the program once, and the linker gives
// the address of the copy that it keeps, that of the first unit, to the entries of all. What was
// inlined into the other copies lay elsewhere.
TEST(SourceLines, AreThoseOfElfutils) {
  auto elf = ElfFile::open("/proc/self/exe");
  ASSERT_TRUE(elf.ok());
  if (!elf->has(".debug_info")) GTEST_SKIP() << "this program was built without -g";
  const auto code = std::make_shared<const ElfFile>(std::move(*elf));
  const Compared compared = compare(code, "/proc/self/exe", 800);
  EXPECT_EQ(compared.different, 0);
  EXPECT_GT(compared.addresses, 800 / kSlower);
  EXPECT_GT(compared.shared, 100 / kSlower);
}

// Of another compiler, stripped off, and compressed.
TEST(SourceLines, OfTheCLibraryAreThoseOfElfutils) {
  auto libc = ElfFile::open("/lib/x86_64-linux-gnu/libc.so.6");
  if (!libc.ok()) GTEST_SKIP() << "there is no libc where Debian has it";
  const std::string path = path_of_build_id(libc->build_id());
  auto debug = ElfFile::open(path);
  if (!debug.ok()) GTEST_SKIP() << "libc6-dbg is not installed";
  if (!debug->alt_link().path.empty()) GTEST_SKIP() << "elfutils does not look for dwz files";
  const Compared compared =
      compare(std::make_shared<const ElfFile>(std::move(*debug)), path, 20000);
  EXPECT_EQ(compared.different, 0);
  EXPECT_GT(compared.inlined, 1000 / kSlower);
}

}  // namespace
}  // namespace dt::symbol

#endif
