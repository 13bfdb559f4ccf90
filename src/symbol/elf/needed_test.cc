// Which libraries a program will map.

#include "symbol/elf/needed.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace dt::symbol {
namespace {

TEST(Needed, IsWhatTheLoaderHasMappedForUs) {
  const auto self = ElfFile::open("/proc/self/exe");
  ASSERT_TRUE(self.ok()) << self.error().text;
  std::set<std::string> expected, found;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        std::error_code error;
        const auto path = std::filesystem::canonical(info->dlpi_name, error);
        if (!error) static_cast<std::set<std::string>*>(out)->insert(path.string());
        return 0;
      },
      &expected);
  for (const std::string& path : needed_libraries(*self, "/nowhere", "")) {
    found.insert(std::filesystem::canonical(path).string());
  }
  ASSERT_GT(expected.size(), 2U);
  EXPECT_TRUE(std::includes(found.begin(), found.end(), expected.begin(), expected.end()))
      << testing::PrintToString(found) << testing::PrintToString(expected);
}

TEST(Needed, IsNothingWithoutADynamicSection) {
  const auto object = ElfFile::from_bytes({});
  if (object.ok()) {
    EXPECT_TRUE(needed_names(*object).empty());
  }
  const auto self = ElfFile::open("/proc/self/exe");
  ASSERT_TRUE(self.ok());
  EXPECT_TRUE(needed_libraries(*self, "/nowhere", "/there/is/no/such/root").empty());
}

}  // namespace
}  // namespace dt::symbol
