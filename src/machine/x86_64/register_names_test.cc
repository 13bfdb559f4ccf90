#include "machine/x86_64/register_names.h"

#include <gtest/gtest.h>

namespace dt::machine {
namespace {

TEST(RegisterNames, AreOfTheWholeRegisterAndItsLowParts) {
  EXPECT_EQ(general_register("rax"), (GeneralRegister{0, 8}));
  EXPECT_EQ(general_register("esp"), (GeneralRegister{4, 4}));
  EXPECT_EQ(general_register("di"), (GeneralRegister{7, 2}));
  EXPECT_EQ(general_register("r15b"), (GeneralRegister{15, 1}));
}

TEST(RegisterNames, OthersAreRefused) {
  for (const char* name : {"", "ah", "rip", "r16", "RAX", "xmm0"}) {
    EXPECT_EQ(general_register(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace dt::machine
