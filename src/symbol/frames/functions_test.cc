// The functions and objects of this very program.

#include "symbol/frames/functions.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "symbol/process/objects.h"

namespace dt::symbol {
namespace {

extern "C" __attribute__((noinline, used)) int dt_function_to_probe(int x) { return x * 5; }
#if __has_attribute(copy)
#define DT_COPY(function) , copy(function)  // g++ wants the attributes of both to agree
#else
#define DT_COPY(function)
#endif
extern "C" int dt_other_name(int)
    __attribute__((alias("dt_function_to_probe") DT_COPY(dt_function_to_probe)));

const ProcessObject& object(const std::vector<ProcessObject>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const ProcessObject& one) { return is_called(one, name); });
  EXPECT_NE(found, all.end()) << name;
  return *found;
}

TEST(Objects, AreCalledByTheBeginningOfTheirNames) {
  const auto all = objects_of(::getpid());
  ASSERT_TRUE(all.ok());
  EXPECT_TRUE(object(*all, "a.out").is_program);
  EXPECT_EQ(object(*all, "libc").name, "libc.so.6");
  EXPECT_EQ(object(*all, "libc.so").name, "libc.so.6");
  EXPECT_FALSE(object(*all, "libc.so.6").is_program);
  ProcessObject old;
  old.name = "libpthread-2.31.so";
  EXPECT_TRUE(is_called(old, "libpthread"));
  EXPECT_TRUE(is_called(old, "libpthread-2.31"));
  for (const char* no : {"", "lib", "libpthread-", "libpthread-2", "a.out"}) {
    EXPECT_FALSE(is_called(old, no)) << no;
  }
}

TEST(Objects, OfNoProcessAreAnError) {
  EXPECT_EQ(objects_of(4194999).error().code, ESRCH);
  EXPECT_TRUE(objects_of(2).ok());  // a thread of the kernel has none
}

TEST(Functions, AreWhereTheFileHasThem) {
  const auto objects = objects_of(::getpid());
  ASSERT_TRUE(objects.ok());
  const ProcessObject& program = object(*objects, "a.out");
  const auto elf = ElfFile::open(program.open_path);
  ASSERT_TRUE(elf.ok()) << elf.error().text;
  const Functions functions = Functions::read(*elf, nullptr);
  const auto found = functions.named("dt_function_to_probe");
  ASSERT_EQ(found.size(), 1U);
  std::vector<std::uint8_t> code(found[0]->size);
  ASSERT_GT(code.size(), 0U);
  ASSERT_TRUE(elf->read(found[0]->offset, code.data(), code.size()));
  EXPECT_EQ(
      std::memcmp(code.data(), reinterpret_cast<const void*>(&dt_function_to_probe), code.size()),
      0);
  ASSERT_EQ(functions.named("dt_other_name").size(), 1U);
  EXPECT_EQ(functions.named("dt_other_name")[0]->address, found[0]->address);
  const Function* const at = functions.at(found[0]->address + 1);
  ASSERT_NE(at, nullptr);
  EXPECT_EQ(at->address, found[0]->address);
  // A function of another object. A sanitizer defines functions such as puts(), but not getpid().
  EXPECT_TRUE(functions.named("getpid").empty());
  EXPECT_EQ(functions.at(1), nullptr);
}

TEST(Functions, OfOtherFilesAreCalledByJumpsThatTheFileHas) {
  const auto objects = objects_of(::getpid());
  ASSERT_TRUE(objects.ok());
  const auto elf = ElfFile::open(object(*objects, "a.out").open_path);
  ASSERT_TRUE(elf.ok()) << elf.error().text;
  const std::vector<Function> all = linkage_functions(*elf);
  const auto found = std::find_if(all.begin(), all.end(),
                                  [](const Function& one) { return one.name == "getpid@plt"; });
  ASSERT_NE(found, all.end());
  std::vector<std::uint8_t> code(found->size);
  ASSERT_GE(code.size(), 6U);
  ASSERT_TRUE(elf->read(found->offset, code.data(), code.size()));
  EXPECT_EQ(code[code.size() - 6], 0xff);  // jmp *word(%rip)
  EXPECT_EQ(code[code.size() - 5], 0x25);
  for (const Function& one : all) EXPECT_TRUE(one.name.ends_with("@plt")) << one.name;
}

TEST(Functions, OfALibraryHaveNoVersionsAndTellWhatChoosesThem) {
  const auto objects = objects_of(::getpid());
  ASSERT_TRUE(objects.ok());
  const auto elf = ElfFile::open(object(*objects, "libc").open_path);
  ASSERT_TRUE(elf.ok()) << elf.error().text;
  const Functions functions = Functions::read(*elf, nullptr);
  ASSERT_EQ(functions.named("qsort").size(), 1U);
  EXPECT_FALSE(functions.named("qsort")[0]->is_resolver);
  for (const Function* one : functions.named("strlen")) EXPECT_TRUE(one->is_resolver);
  for (const Function& one : functions.all()) EXPECT_EQ(one.name.find('@'), one.name.npos);
}

}  // namespace
}  // namespace dt::symbol
