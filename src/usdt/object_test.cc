// Objects, as a reader of ELF sees them; that linkers take them is tested by
// conformance/usdt/tst.build.sh.

#include "usdt/object.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>

namespace dt::usdt {
namespace {

template <typename T>
T at(const std::string& file, std::uint64_t offset) {
  T value{};
  EXPECT_LE(offset + sizeof value, file.size());
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

std::map<std::string, Elf64_Shdr> sections_of(const std::string& file) {
  const auto header = at<Elf64_Ehdr>(file, 0);
  const auto section = [&](std::size_t i) {
    return at<Elf64_Shdr>(file, header.e_shoff + i * sizeof(Elf64_Shdr));
  };
  const Elf64_Shdr names = section(header.e_shstrndx);
  std::map<std::string, Elf64_Shdr> out;
  for (std::size_t i = 1; i < header.e_shnum; ++i) {
    out[file.data() + names.sh_offset + section(i).sh_name] = section(i);
  }
  return out;
}

TEST(Object, DefinesACounterForEachProbe) {
  const Provider all[] = {{"a", {{"one", {}, {}, false}, {"two__b", {"int"}, {}, false}}},
                          {"b", {{"one", {}, {}, false}}}};
  const std::string file = object(all);
  const auto header = at<Elf64_Ehdr>(file, 0);
  EXPECT_EQ(header.e_type, ET_REL);
  EXPECT_EQ(header.e_machine, EM_X86_64);
  auto sections = sections_of(file);
  EXPECT_EQ(sections[".probes"].sh_size, 6U);
  EXPECT_EQ(sections[".probes"].sh_flags, SHF_ALLOC | SHF_WRITE);
  EXPECT_EQ(sections.count(".note.GNU-stack"), 1U);
  EXPECT_EQ(sections[".note.dtrace"].sh_flags, 0U);
  const std::string note(file.data() + sections[".note.dtrace"].sh_offset,
                         sections[".note.dtrace"].sh_size);
  EXPECT_EQ(note, std::string("\7\0\0\0\x0f\0\0\0\1\0\0\0dtrace\0\0a\0two__b\0int\0\0\0\0", 36));
  EXPECT_EQ(sections.count(".note.gnu.property"), 1U);
  const Elf64_Shdr table = sections[".symtab"];
  ASSERT_EQ(table.sh_size, 4 * sizeof(Elf64_Sym));
  EXPECT_EQ(table.sh_info, 1U);
  const char* const wanted[] = {"a_one_semaphore", "a_two__b_semaphore", "b_one_semaphore"};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto symbol = at<Elf64_Sym>(file, table.sh_offset + (i + 1) * sizeof(Elf64_Sym));
    EXPECT_STREQ(file.data() + sections[".strtab"].sh_offset + symbol.st_name, wanted[i]);
    EXPECT_EQ(symbol.st_value, 2 * i);
    EXPECT_EQ(symbol.st_size, 2U);
    EXPECT_EQ(symbol.st_other, STV_HIDDEN);
    EXPECT_EQ(symbol.st_info, ELF64_ST_INFO(STB_WEAK, STT_OBJECT));
    EXPECT_EQ(at<std::uint16_t>(file, sections[".probes"].sh_offset + symbol.st_value), 0);
  }
}

TEST(Object, OfAProviderWithoutProbesIsOneWithoutSymbols) {
  const Provider all[] = {{"a", {}}};
  const std::string file = object(all);
  EXPECT_EQ(sections_of(file)[".symtab"].sh_size, sizeof(Elf64_Sym));
  EXPECT_EQ(sections_of(file)[".probes"].sh_size, 0U);
}

}  // namespace
}  // namespace dt::usdt
