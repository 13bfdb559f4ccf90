// Tables of Go made by hand, well-formed and not. tests/conformance/pid/tst.go.py has real
// programs.

#include "symbol/frames/go_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "symbol/frames/call_frames_test.h"
#include "symbol/frames/functions.h"

namespace dt::symbol {
namespace {

constexpr std::uint32_t k116 = 0xfffffffa, k118 = 0xfffffff0, k120 = 0xfffffff1;

struct Made {
  const char* name;
  std::uint64_t at;  // in the code
  Bytes steps;       // none: there are none
  std::uint8_t flags = 0;
};

// As Go's linker writes it, for code up to `end`.
Bytes go_table(std::uint32_t magic, const std::vector<Made>& functions, std::uint64_t end) {
  const bool is_old = magic == k116;
  Bytes names, steps{0}, index, records;
  const std::uint64_t entry_bytes = is_old ? 16 : 8;
  const std::uint64_t index_bytes = entry_bytes * functions.size() + entry_bytes / 2;
  const auto put = [&](Bytes& to, std::uint64_t value) {
    if (is_old) to.put(value);
    if (!is_old) to.put(static_cast<std::uint32_t>(value));
  };
  for (const Made& one : functions) {
    const std::uint64_t address = (is_old ? kCodeAddress : 0) + one.at;
    put(index, address);
    put(index, index_bytes + records.size());
    put(records, address);
    records.put(names.size()).put(std::uint64_t{0});
    records.put(one.steps.size() == 0 ? 0 : steps.size());
    records.all.resize(records.all.size() + (magic == k120 ? 20 : 16));
    records.put(Bytes{0, one.flags, 0, 0});
    for (const char* c = one.name; *c != 0; ++c) names.put(*c);
    names.put('\0');
    if (one.steps.size() != 0) steps.put(one.steps).put(Bytes{0});
  }
  put(index, (is_old ? kCodeAddress : 0) + end);
  Bytes table;
  table.put(magic).put(Bytes{0, 0, 1, 8}).put(std::uint64_t{functions.size()});
  table.put(std::uint64_t{1});
  if (!is_old) table.put(kCodeAddress);
  std::uint64_t at = table.size() + 5 * 8;
  table.put(at);
  at += names.size();
  table.put(at).put(at).put(at);
  table.put(at + steps.size());
  return table.put(names).put(steps).put(index).put(records);
}

// A step to `depth` from the one before, for `length` bytes of code; the first is from -1.
Bytes step(int change, int length) { return {change < 0 ? -2 * change - 1 : 2 * change, length}; }
Bytes frame(int depth) { return step(1, 4).put(step(depth, 8)).put(step(-depth, 1)); }

const std::vector<Made> kFunctions = {
    {"main.f", 0x10, frame(24)},
    {"main.leaf", 0x20, step(1, 16)},
    {"runtime.call", 0x30, step(1, 16)},
    {"runtime.call", 0x40, step(1, 16), 4},
    {"runtime.goexit", 0x50, step(1, 2), 5},
    {"runtime.systemstack", 0x60, step(1, 16), 6},
    {"runtime.mcall", 0x70, step(1, 16), 6},
    {"runtime.sigreturn", 0x80, step(1, 16), 4},
    {"runtime.none", 0x90, {}},
    {"time.now", 0xa0, step(1, 16), 6},
    {"runtime.walltime", 0xb0, step(1, 16)},
};

std::string frames_of(std::uint32_t magic) {
  return table_of(elf_file(go_table(magic, kFunctions, 0xc0), ".gopclntab"));
}

TEST(GoTable, TellsHowStacksAreUnwound) {
  for (const std::uint32_t magic : {k116, k118, k120}) {
    EXPECT_EQ(frames_of(magic),
              "1010 rsp+8, 1014 rsp+32 lost, 101c rsp+8, 101d -, 1020 rsp+8, "
              "1050 outermost, 1052 -, 1060 other rbp+16 @rbp+0, 1070 unsupported, "
              "1080 signal 168, 1090 -, 10a0 other rbp+16 @rbp+0, 10b0 unsupported, 10c0 -")
        << magic;
  }
}

// A function at 0x10 of the code, whose bytes from there on are `code`.
std::string with_code(const Bytes& code, const Bytes& steps, const char* name = "main.f") {
  ElfFile::Bytes file = elf_file(go_table(k118, {{name, 0x10, steps, 4}}, 0x40), ".gopclntab");
  std::copy(code.all.begin(), code.all.end(), file.begin() + kCodeOffset + 0x10);
  return table_of(std::move(file));
}

TEST(GoTable, TellsWhereFramePointersAreFromWhereTheyAreSaved) {
  // sub $24, %rsp; mov %rbp, 16(%rsp)
  EXPECT_EQ(with_code({0x48, 0x83, 0xec, 24, 0x48, 0x89, 0x6c, 0x24, 16}, frame(24)),
            "1010 rsp+8, 1014 rsp+32, 1019 rsp+32 @cfa-16, 101c rsp+8, 101d -");
  // With a displacement of four bytes, and code behind a return.
  const Bytes steps = step(1, 4).put(step(24, 9)).put(step(-24, 1)).put(step(24, 2));
  EXPECT_EQ(with_code({0x48, 0x83, 0xec, 24, 0x48, 0x89, 0xac, 0x24, 16, 0, 0, 0}, steps),
            "1010 rsp+8, 1014 rsp+32, 101c rsp+32 @cfa-16, 101d rsp+8, 101e rsp+32 @cfa-16, "
            "1020 -");
  // To elsewhere.
  EXPECT_EQ(with_code({0x48, 0x83, 0xec, 24, 0x48, 0x89, 0x6c, 0x24, 8}, frame(24)),
            "1010 rsp+8, 1014 rsp+32 lost, 101c rsp+8, 101d -");
  // One that goes on on another stack behind this.
  const Bytes long_steps = step(1, 4).put(step(24, 20)).put(step(-24, 1));
  EXPECT_EQ(with_code({0x48, 0x83, 0xec, 24, 0x48, 0x89, 0x6c, 0x24, 16}, long_steps, "time.now"),
            "1010 rsp+8, 1014 rsp+32, 1019 rsp+32 @cfa-16, 101e other rbp+16 @rbp+0, "
            "1024 rsp+32, 1028 rsp+8, 1029 -");
  // push %rbp
  EXPECT_EQ(with_code({0x55, 0x48, 0x89, 0xe5}, step(1, 1).put(step(8, 4)).put(step(-8, 1))),
            "1010 rsp+8, 1011 rsp+16 @cfa-16, 1015 rsp+8, 1016 -");
  // push %rax
  EXPECT_EQ(with_code({0x50}, step(1, 1).put(step(8, 4))), "1010 rsp+8, 1011 rsp+16 lost, 1015 -");
}

std::string functions_of(std::uint32_t magic) {
  const auto elf = ElfFile::from_bytes(elf_file(go_table(magic, kFunctions, 0xc0), ".gopclntab"));
  const auto go = GoTable::read(*elf);
  if (!go) return "none";
  std::string text;
  const Functions functions = Functions::read(*elf, nullptr, &*go);
  for (const Function& one : functions.all()) {
    const bool in_registers = go->convention(one.address, one.name) == CallConvention::kGoRegisters;
    text += fmt::format("{} {:x}+{:x} {}\n", one.name, one.address, one.size,
                        in_registers ? "registers" : "stack");
  }
  return text;
}

TEST(GoTable, NamesFunctionsAsLinkersDo) {
  EXPECT_EQ(functions_of(k120),
            "main.f 401010+d registers\nmain.leaf 401020+10 registers\n"
            "runtime.call 401030+10 registers\nruntime.call.abi0 401040+10 stack\n"
            "runtime.goexit 401050+2 registers\nruntime.systemstack 401060+10 registers\n"
            "runtime.mcall 401070+10 registers\nruntime.sigreturn 401080+10 registers\n"
            "runtime.none 401090+10 registers\ntime.now 4010a0+10 registers\n"
            "runtime.walltime 4010b0+10 registers\n");
}

TEST(GoTable, NamesNoFunctionsThatItCannotTellApart) {
  const auto elf = ElfFile::from_bytes(elf_file(
      go_table(k116, {{"main.f", 0, frame(8)}, {"a", 32, frame(8)}, {"a", 64, frame(8)}}, 96),
      ".gopclntab"));
  const auto go = GoTable::read(*elf);
  ASSERT_TRUE(go);
  EXPECT_EQ(go->functions().size(), 3U);
  EXPECT_EQ(go->named().size(), 1U);
  // Go 1.16 has no flags, and all arguments on the stack; C's functions are C's.
  EXPECT_EQ(go->convention(kCodeAddress, "main.f"), CallConvention::kGoStack);
  EXPECT_EQ(go->convention(kCodeAddress + 96, "c"), CallConvention::kC);
}

TEST(GoTable, OfDamagedOnesThereIsNothing) {
  const Bytes whole = go_table(k118, kFunctions, 0xc0);
  const auto is_read = [](const Bytes& table) {
    const auto elf = ElfFile::from_bytes(elf_file(table, ".gopclntab"));
    return elf.ok() && GoTable::read(*elf).has_value();
  };
  EXPECT_TRUE(is_read(whole));
  for (std::uint32_t size = 0; size < whole.size(); ++size) {
    Bytes cut = whole;
    cut.all.resize(size);
    EXPECT_TRUE(!is_read(cut) || size > whole.size() - 4) << size;  // bytes that are never read
  }
  Bytes many = whole, far = whole, descending = whole;
  many.all[8 + 3] = 1;         // functions
  far.all[8 + 8 * 2 + 5] = 1;  // where code begins
  EXPECT_FALSE(is_read(many));
  EXPECT_FALSE(is_read(far));
  EXPECT_FALSE(is_read(go_table(k118, {{"b", 32, frame(8)}, {"a", 0, frame(8)}}, 64)));
  EXPECT_FALSE(is_read(go_table(k118, {{"a", 0, frame(8)}}, 2 * kCodeBytes)));
  EXPECT_FALSE(is_read(go_table(0xfffffffb, kFunctions, 0xc0)));
}

}  // namespace
}  // namespace dt::symbol
