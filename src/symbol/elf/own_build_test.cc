// The build id that is read from memory is that of the program's file.

#include "symbol/elf/own_build.h"

#include <gtest/gtest.h>

#include "symbol/elf/file.h"

namespace dt::symbol {
namespace {

TEST(OwnBuild, IsThatOfTheFile) {
  const auto file = ElfFile::open("/proc/self/exe");
  ASSERT_TRUE(file.ok());
  EXPECT_FALSE(file->build_id().empty());
  EXPECT_EQ(own_build_id(), file->build_id());
}

}  // namespace
}  // namespace dt::symbol
