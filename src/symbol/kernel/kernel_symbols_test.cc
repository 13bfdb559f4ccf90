// kallsyms as text.

#include "symbol/kernel/kernel_symbols.h"

#include <gtest/gtest.h>

namespace dt::symbol {
namespace {

constexpr std::string_view kKallsyms =
    "ffffffff81000000 T _stext\n"
    "ffffffff81000000 T _text\n"
    "ffffffff81000000 T startup_64\n"
    "ffffffff81000100 t do_one\n"
    "ffffffff81000200 T vfs_read\n"
    "ffffffff81000200 T alias_of_vfs_read\n"
    "ffffffff81000280 d not_a_function\n"
    "ffffffff81000300 W weak_one\n"
    "ffffffff81000400 T _etext\n"
    "ffffffff81200000 D some_data\n"
    "ffffffffc0001000 t ext4_open\t[ext4]\n"
    "ffffffffc0001800 t ext4_close\t[ext4]\n"
    "ffffffffc0009000 t orphan\t[gone]\n";
constexpr std::string_view kModules = "ext4 4096 1 - Live 0xffffffffc0001000\n";

std::string at(const KernelSymbols& symbols, std::uint64_t address) {
  Symbol symbol;
  if (!symbols.find(KernelAddr(address), symbol)) {
    return "none";
  }
  return symbol.module + "`" + symbol.name + "+" + std::to_string(symbol.offset);
}

TEST(KernelSymbols, FindsTheFunctionThatHoldsAnAddress) {
  const KernelSymbols symbols(kKallsyms, kModules);
  EXPECT_EQ(at(symbols, 0xffffffff81000000), "vmlinux`startup_64+0");
  EXPECT_EQ(at(symbols, 0xffffffff81000110), "vmlinux`do_one+16");
  EXPECT_EQ(at(symbols, 0xffffffff810002ff), "vmlinux`vfs_read+255") << "the first of two names";
  EXPECT_EQ(at(symbols, 0xffffffff810003ff), "vmlinux`weak_one+255");
  EXPECT_EQ(at(symbols, 0xffffffffc0001900), "ext4`ext4_close+256");
  EXPECT_EQ(at(symbols, 0xffffffffc0009010), "gone`orphan+16");
}

TEST(KernelSymbols, EndsWhereTextAndModulesEnd) {
  const KernelSymbols symbols(kKallsyms, kModules);
  EXPECT_EQ(at(symbols, 0xffffffff81000400), "none");
  EXPECT_EQ(at(symbols, 0xffffffff81200000), "none");
  EXPECT_EQ(at(symbols, 0xffffffffc0002000), "none");
  EXPECT_EQ(at(symbols, 0xffffffffc0020000), "none");
  EXPECT_EQ(at(symbols, 0), "none");
  EXPECT_EQ(at(symbols, UINT64_MAX), "none");
}

TEST(KernelSymbols, AModuleWithoutASymbolIsStillNamed) {
  const KernelSymbols symbols("ffffffff81000000 T a\n", "m 4096 0 - Live 0xffffffffc0001000 (O)\n");
  EXPECT_EQ(at(symbols, 0xffffffffc0001010), "m`+16");
}

TEST(KernelSymbols, ZeroedAddressesAreHidden) {
  const KernelSymbols symbols("0000000000000000 T a\n0000000000000000 t b\n", "");
  EXPECT_TRUE(symbols.hidden());
  EXPECT_EQ(at(symbols, 0), "none");
  EXPECT_FALSE(KernelSymbols(kKallsyms, "").hidden());
}

TEST(KernelSymbols, DamagedTextIsSkipped) {
  const KernelSymbols symbols(
      "\n\nzzz T a\n12 T\nffffffff81000000\nffffffff81000010 TT b\n"
      "ffffffff81000000 T good",
      "\nm\nn 1 2\no x 1 - Live 0x10\n");
  EXPECT_EQ(symbols.size(), 1U);
  EXPECT_EQ(at(symbols, 0xffffffff81000001), "vmlinux`good+1");
}

TEST(KernelSymbols, AFunctionReachesToTheNextOneOrToTheEndOfItsModule) {
  using Extents = std::vector<KernelSymbols::Extent>;
  const KernelSymbols symbols(kKallsyms, kModules);
  EXPECT_EQ(symbols.named("vfs_read"),
            (Extents{{"vmlinux", KernelAddr(0xffffffff81000200), KernelAddr(0xffffffff81000300)}}));
  EXPECT_EQ(symbols.named("alias_of_vfs_read"),
            (Extents{{"vmlinux", KernelAddr(0xffffffff81000200), KernelAddr(0xffffffff81000300)}}));
  EXPECT_EQ(symbols.named("weak_one"),
            (Extents{{"vmlinux", KernelAddr(0xffffffff81000300), KernelAddr(0xffffffff81000400)}}));
  EXPECT_EQ(symbols.named("ext4_close"),
            (Extents{{"ext4", KernelAddr(0xffffffffc0001800), KernelAddr(0xffffffffc0002000)}}));
  EXPECT_EQ(symbols.named("some_data"), Extents());
  EXPECT_EQ(symbols.near("vfs_raed"), "vfs_read");
}

TEST(KernelSymbols, CodeThatIsGoneSinceTheStartIsNoFunction) {
  const KernelSymbols symbols(
      "ffffffff81000100 T run\nffffffff81500000 T _sinittext\nffffffff81500100 t run\n"
      "ffffffff81600000 T _einittext\n",
      "");
  ASSERT_EQ(symbols.named("run").size(), 1U);
  EXPECT_EQ(symbols.named("run")[0].begin.value, 0xffffffff81000100);
}

}  // namespace
}  // namespace dt::symbol
