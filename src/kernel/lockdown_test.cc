#include "kernel/lockdown.h"

#include <gtest/gtest.h>

namespace dt::kernel {
namespace {

TEST(Lockdown, TheModeInForceIsInBrackets) {
  EXPECT_EQ(parse_lockdown("[none] integrity confidentiality\n"), "none");
  EXPECT_EQ(parse_lockdown("none [integrity] confidentiality\n"), "integrity");
  EXPECT_EQ(parse_lockdown("none integrity [confidentiality]\n"), "confidentiality");
}

TEST(Lockdown, AnyOtherTextHasNone) {
  for (const char* const text : {"", "none", "[", "]", "][", "none [integrity"}) {
    EXPECT_EQ(parse_lockdown(text), "") << text;
  }
}

}  // namespace
}  // namespace dt::kernel
