// Kernel symbols by name.

#include "symbol/kernel/kallsyms.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace dt::symbol {
namespace {

class KallsymsFile : public testing::Test {
 protected:
  Kallsyms with(const std::string& text) {
    path_ = testing::TempDir() + "dt_kallsyms_test." + std::to_string(::getpid());
    std::ofstream(path_) << text;
    return Kallsyms(path_);
  }
  void TearDown() override { ::unlink(path_.c_str()); }
  std::string path_;
};

constexpr const char* kText =
    "0000000000000000 A fixed_percpu_data\n"
    "0000000000000000 A __per_cpu_start\n"
    "000000000001f000 A runqueues\n"
    "0000000000030000 A __per_cpu_end\n"
    "ffffffff81000000 T _text\n"
    "ffffffff81001000 T vfs_read\n"
    "ffffffff81001100 t helper\n"
    "ffffffff81001200 t helper\n"
    "ffffffff82000000 D jiffies\n"
    "ffffffff82000000 D jiffies_64\n"
    "ffffffffc0001000 t ext_read\t[ext]\n"
    "ffffffffc0002000 d vfs_read\t[ext]\n";

TEST_F(KallsymsFile, FindsFunctionsAndVariablesByName) {
  Kallsyms kallsyms = with(kText);
  const auto jiffies = kallsyms.find("jiffies");
  ASSERT_TRUE(jiffies.ok()) << jiffies.error().text;
  ASSERT_EQ(jiffies->size(), 1u);
  EXPECT_EQ(jiffies->front().module, "vmlinux");
  EXPECT_EQ(jiffies->front().address.value, 0xffffffff82000000);
  EXPECT_FALSE(jiffies->front().is_function);
  EXPECT_FALSE(jiffies->front().is_per_cpu);
  const auto read = kallsyms.find("vfs_read");
  ASSERT_EQ(read->size(), 2u);
  EXPECT_TRUE(read->at(0).is_function);
  EXPECT_EQ(read->at(1).module, "ext");
  EXPECT_EQ(kallsyms.find("helper")->size(), 2u);
  EXPECT_TRUE(kallsyms.find("jiffie")->empty());
  EXPECT_TRUE(kallsyms.find("T vfs_read")->empty());
  EXPECT_TRUE(kallsyms.find("")->empty());
}

TEST_F(KallsymsFile, ASymbolAmongTheDataIsNoFunctionWhateverItsLetter) {
  Kallsyms kallsyms = with(
      "ffffffff81001000 T vfs_read\n"
      "ffffffff82000000 T _sdata\n"
      "ffffffff82011140 T init_task\n"
      "ffffffff8215b900 T _edata\n"
      "ffffffff825b9000 T start_kernel\n");
  EXPECT_TRUE(kallsyms.find("vfs_read")->at(0).is_function);
  EXPECT_FALSE(kallsyms.find("init_task")->at(0).is_function);
  EXPECT_TRUE(kallsyms.find("start_kernel")->at(0).is_function);
}

TEST_F(KallsymsFile, TellsWhatEachCpuHasOfItsOwn) {
  Kallsyms kallsyms = with(kText);
  EXPECT_TRUE(kallsyms.find("runqueues")->at(0).is_per_cpu);
  EXPECT_FALSE(kallsyms.find("vfs_read")->at(0).is_per_cpu);
}

TEST_F(KallsymsFile, SaysThatAddressesAreHidden) {
  Kallsyms kallsyms = with("0000000000000000 T _text\n0000000000000000 T vfs_read\n");
  const auto found = kallsyms.find("vfs_read");
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().text,
            "the addresses of the kernel's symbols are hidden from this process (" + path_ +
                " shows zeros)");
  EXPECT_EQ(found.error().remedy, "set kernel.kptr_restrict to 1 or run with CAP_SYSLOG");
}

TEST_F(KallsymsFile, SaysThatItCannotBeRead) {
  Kallsyms kallsyms("/nonexistent/kallsyms");
  const auto found = kallsyms.find("vfs_read");
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().text, "cannot read /nonexistent/kallsyms");
}

TEST_F(KallsymsFile, SuggestsWhatIsNear) {
  Kallsyms kallsyms = with(kText);
  EXPECT_EQ(kallsyms.near("jifies", ""), "jiffies");
  EXPECT_EQ(kallsyms.near("ext_raed", "ext"), "ext_read");
  EXPECT_TRUE(kallsyms.has_module("ext"));
  EXPECT_TRUE(kallsyms.has_module("vmlinux"));
  EXPECT_FALSE(kallsyms.has_module("ex"));
}

TEST_F(KallsymsFile, EndsOnLinesThatAreNone) {
  Kallsyms kallsyms = with("\n\nxyz\nffffffff81000000\nffffffff81000000 T\n T name\n]a[ name [");
  EXPECT_TRUE(kallsyms.find("name").ok());
  EXPECT_EQ(kallsyms.near("nothing", ""), "");
}

}  // namespace
}  // namespace dt::symbol
